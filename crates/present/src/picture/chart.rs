//! Charts: numbers with their intervals, as SVG and for the terminal. The one module that knows the plotting library.

use kuva::backend::svg::SvgBackend;
use kuva::backend::terminal::TerminalBackend;
use kuva::plot::{ForestPlot, LinePlot};
use kuva::render::layout::Layout;
use kuva::render::plots::Plot;
use kuva::render::render::render_multiple;

/// Width of a chart on a page.
const WIDE: f64 = 640.0;
/// Maximum size of a chart in the terminal: characters per line, and lines.
const CELLS: (usize, usize) = (72, 16);
/// The colours of groups, in their order; further groups begin anew.
const COLOURS: [&str; 4] = ["#b5452c", "#2c5fb5", "#2c8a4b", "#7a3fa0"];

/// A number with its interval.
#[derive(Debug, Clone, PartialEq)]
pub struct ChartPoint {
    /// Name of the measured item; for a curve the value on the axis, if it is a number.
    pub label: String,
    /// Group that it belongs to, from 0: groups differ in colour.
    pub group: usize,
    /// The number.
    pub value: f64,
    /// From where to where it may lie.
    pub range: (f64, f64),
}

/// The colour of a group.
pub fn colour(group: usize) -> &'static str {
    COLOURS[group % COLOURS.len()]
}

/// Numbers below each other, with a line at nothing.
pub fn bars(rows: &[ChartPoint], axis: &str) -> String {
    let plot = rows
        .iter()
        .fold(ForestPlot::new().with_null_value(0.0), |plot, row| {
            plot.with_colored_row(
                row.label.as_str(),
                row.value,
                row.range.0,
                row.range.1,
                colour(row.group),
            )
        });
    let plots: Vec<Plot> = vec![plot.into()];
    let layout = Layout::auto_from_plots(&plots)
        .with_x_label(axis)
        .with_width(WIDE)
        .with_height(90.0 + 22.0 * rows.len() as f64);
    svg(plots, layout)
}

/// A curve over numbers with the lines between which it may lie, for the terminal: plain text, no wider than that.
pub fn curve(points: &[ChartPoint], columns: Option<usize>) -> String {
    let line = |of: &dyn Fn(&ChartPoint) -> f64| {
        let place = |p: &ChartPoint| Some((p.label.parse().ok()?, of(p)));
        let data: Vec<(f64, f64)> = points.iter().filter_map(place).collect();
        Plot::Line(LinePlot::new().with_data(data))
    };
    let plots = vec![line(&|p| p.range.1), line(&|p| p.value), line(&|p| p.range.0)];
    let (most, lines) = CELLS;
    let cells = columns.map_or(most, |columns| columns.min(most));
    let layout = Layout::auto_from_plots(&plots)
        .with_show_grid(false)
        .with_width(cells as f64 * 8.0)
        .with_height(lines as f64 * 16.0)
        .with_term_rows(lines as u32);
    let drawn = TerminalBackend::new(cells, lines).render_scene(&render_multiple(plots, layout));
    let lines: Vec<String> = uncoloured(&drawn)
        .lines()
        .map(|l| l.trim_end().to_owned())
        .collect();
    let text = lines.join("\n");
    text.trim_matches('\n').to_owned()
}

/// A text without the codes that colour it.
fn uncoloured(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("\u{1b}[") {
        plain += before;
        rest = after.split_once('m').map_or("", |(_, behind)| behind);
    }
    plain + rest
}

fn svg(plots: Vec<Plot>, layout: Layout) -> String {
    let drawn = SvgBackend::default().render_scene(&render_multiple(plots, layout));
    // So that it becomes smaller where there is less room.
    let size = |name: &str| {
        let (_, behind) = drawn.split_once(&format!(" {name}=\""))?;
        behind.split_once('"').map(|(size, _)| size.to_owned())
    };
    match (size("width"), size("height")) {
        (Some(wide), Some(high)) => {
            let fixed = format!(" width=\"{wide}\" height=\"{high}\"");
            drawn.replacen(
                &fixed,
                &format!(" viewBox=\"0 0 {wide} {high}\" width=\"{wide}\" role=\"img\""),
                1,
            )
        }
        _ => drawn,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(label: &str, value: f64) -> ChartPoint {
        ChartPoint {
            label: label.to_owned(),
            group: 0,
            value,
            range: (value - 2.0, value + 2.0),
        }
    }

    #[test]
    fn a_chart_says_what_is_measured_and_fits_where_there_is_less_room() {
        let chart = bars(&[point("draws", 3.0), point("rounds & more", -1.0)], "points");
        assert!(
            chart.contains(">draws<") && chart.contains(">rounds &amp; more<") && chart.contains(">points<")
        );
        assert!(
            chart.contains("viewBox=\"0 0 640 134\"") && !chart.contains("height=\"134\""),
            "{chart}"
        );
    }

    #[test]
    fn in_the_terminal_it_is_plain_text_as_wide_as_it_should_be() {
        for columns in [None, Some(200), Some(40), Some(20)] {
            let text = curve(&[point("6", 40.0), point("8", 35.0), point("10", 36.0)], columns);
            assert!(
                !text.contains('\u{1b}') && text.contains("40") && text.contains("10"),
                "{text}"
            );
            let wide = columns.unwrap_or(CELLS.0).min(CELLS.0);
            assert!(
                text.lines().all(|l| l.chars().count() <= wide) && text.lines().count() <= CELLS.1,
                "{text}"
            );
        }
    }
}
