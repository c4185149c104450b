//! Pages for a browser, and as Markdown.

use super::{Report, ReportPart};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// A text that XML can hold.
pub fn clean(text: &str) -> String {
    let odd = |c: char| c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}');
    text.chars().map(|c| if odd(c) { ' ' } else { c }).collect()
}

/// A text as HTML shows it.
pub fn escaped(text: &str) -> String {
    clean(text)
        .replace('&', "&amp;")
        .replace('{', "&#123;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// A text in which nothing is a tag where Markdown is read, but for what stands between backticks, which is none.
fn untagged(text: &str) -> String {
    let pieces: Vec<&str> = text.split('`').collect();
    // Several of them together, and those behind a backslash, are read otherwise.
    let plain = !text.contains("``") && !text.contains("\\`");
    let is_code = |nth: usize| plain && nth % 2 == 1 && nth + 1 < pieces.len() && !pieces[nth].contains('\n');
    let begins = |c: char| c.is_ascii_alphabetic() || "/!?".contains(c);
    let escaped = pieces.iter().enumerate().map(|(nth, piece)| {
        let mut parts = piece.split('<');
        let mut escaped = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let tag = part.starts_with(begins) && !is_code(nth);
            escaped += if tag { "&lt;" } else { "<" };
            escaped += part;
        }
        escaped
    });
    escaped.collect::<Vec<_>>().join("`")
}

/// A page as Markdown; pictures are only named.
pub fn markdown(page: &Report) -> String {
    let mut text = String::new();
    let cell = |c: &String| untagged(c).replace('|', "\\|");
    for part in page.parts() {
        let _ = match part {
            ReportPart::Head(deep, head) => writeln!(text, "{} {}\n", "#".repeat(*deep), untagged(head)),
            ReportPart::Code(code) => {
                // Nothing in the code ends it.
                let run = code.split(|c| c != '`').map(str::len).max().unwrap_or(0);
                let fence = "`".repeat((run + 1).max(3));
                writeln!(text, "{fence}rhai norun\n{code}\n{fence}\n")
            }
            ReportPart::Table(table) => {
                let rows = table.texts();
                let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
                let rule = "---|".repeat(columns);
                if !table.headed {
                    let _ = writeln!(text, "|{}\n|{rule}", "  |".repeat(columns));
                }
                for (index, row) in rows.iter().enumerate() {
                    let cells: Vec<String> = row.iter().map(cell).collect();
                    let _ = writeln!(text, "| {} |", cells.join(" | "));
                    if table.headed && index == 0 {
                        let _ = writeln!(text, "|{rule}");
                    }
                }
                writeln!(text)
            }
            ReportPart::Text(_)
            | ReportPart::Marked(_)
            | ReportPart::Fold { .. }
            | ReportPart::Picture(..)
            | ReportPart::Chart(..) => {
                writeln!(text, "{}\n", untagged(&part.text()))
            }
        };
    }
    text.trim_end().to_owned() + "\n"
}

/// A text with what stands between backticks as code.
fn marked(text: &str) -> String {
    let pieces: Vec<&str> = text.split('`').collect();
    // One that nothing closes is itself.
    if pieces.len().is_multiple_of(2) {
        return text.to_owned();
    }
    let mark = |(nth, piece): (usize, &&str)| match nth % 2 {
        0 => (*piece).to_owned(),
        _ => format!("<code>{piece}</code>"),
    };
    pieces.iter().enumerate().map(mark).collect()
}

/// A page as a file that needs nothing else.
pub fn html(page: &Report) -> String {
    let title = page.parts().find_map(|p| match p {
        ReportPart::Head(1, head) => Some(head.clone()),
        _ => None,
    });
    let mut text = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>{}</title>\n<style>\n\
         body {{ font: 16px/1.5 sans-serif; max-width: 62em; margin: 2em auto; padding: 0 1em; color: #222; }}\n\
         table {{ border-collapse: collapse; margin: 1em 0; font-size: 14px; display: block; overflow-x: auto; }}\n\
         td, th {{ border: 1px solid #ccc; padding: 3px 8px; text-align: left; vertical-align: top; }}\n\
         pre {{ background: #f5f3ee; padding: 1em; overflow-x: auto; }}\n\
         figure {{ display: inline-block; margin: 0 1em 1em 0; vertical-align: top; max-width: 270px; }}\n\
         figure.chart {{ display: block; max-width: 100%; }}\n\
         figure svg {{ max-width: 100%; height: auto; }}\nfigcaption {{ font-size: 13px; }}\n</style></head><body>\n",
        escaped(&title.unwrap_or_default())
    );
    let shared = SharedCells::of(page);
    text.push_str(&shared.symbols());
    for (index, part) in page.parts().enumerate() {
        let _ = match part {
            ReportPart::Head(deep, head) => writeln!(text, "<h{deep}>{}</h{deep}>", escaped(head)),
            ReportPart::Text(_) | ReportPart::Marked(_) => {
                writeln!(text, "<p>{}</p>", marked(&escaped(&part.text())))
            }
            ReportPart::Code(code) => {
                let lines: Vec<String> = code.lines().map(escaped).collect();
                writeln!(text, "<pre>{}</pre>", lines.join("\n"))
            }
            ReportPart::Fold { .. } => writeln!(text, "{}", details(part)),
            ReportPart::Table(table) => {
                text.push_str("<table>\n");
                for (index, row) in table.texts().iter().enumerate() {
                    let tag = if table.headed && index == 0 { "th" } else { "td" };
                    let cells = row
                        .iter()
                        .map(|c| format!("<{tag}>{}</{tag}>", marked(&escaped(c))));
                    let _ = writeln!(text, "<tr>{}</tr>", cells.collect::<String>());
                }
                writeln!(text, "</table>")
            }
            ReportPart::Picture(svg, shows) => {
                writeln!(
                    text,
                    "<figure>{}<figcaption>{}</figcaption></figure>",
                    shared.short(svg),
                    escaped(shows)
                )
            }
            ReportPart::Chart(svg, shows) => {
                // Names in a page are there once.
                let svg = svg.replace("kuva-clip-", &format!("clip-{index}-"));
                writeln!(
                    text,
                    "<figure class=\"chart\">{svg}<figcaption>{}</figcaption></figure>",
                    escaped(shows)
                )
            }
        };
    }
    text.push_str("</body></html>\n");
    text
}

/// Parts that can be folded; a text stands in them as it is.
fn details(part: &ReportPart) -> String {
    let ReportPart::Fold { head, open, parts } = part else {
        let lines: Vec<String> = part.text().lines().map(escaped).collect();
        return format!("<pre>{}</pre>", lines.join("\n"));
    };
    let open = if *open { " open" } else { "" };
    let below: String = parts.iter().map(details).collect();
    format!(
        "<details{open}><summary>{}</summary>{below}</details>",
        escaped(head)
    )
}

/// Start tag of a board's cells in a picture.
pub const CELL: &str = "<g class=\"cell\"";

/// Pictures of one board repeat its cells: each that occurs again is written once on a page, and named elsewhere.
struct SharedCells(BTreeMap<String, usize>);

impl SharedCells {
    fn of(page: &Report) -> Self {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for part in page.parts() {
            if let ReportPart::Picture(svg, _) = part {
                cells(svg).for_each(|cell| *counts.entry(cell).or_default() += 1);
            }
        }
        let again = counts.into_iter().filter(|(_, count)| *count > 1);
        Self(
            again
                .enumerate()
                .map(|(id, (cell, _))| (cell.to_owned(), id))
                .collect(),
        )
    }

    /// The cells themselves, seen nowhere by themselves.
    fn symbols(&self) -> String {
        let cell = |(text, id): (&String, &usize)| text.replacen("<g ", &format!("<g id=\"cell-{id}\" "), 1);
        match self.0.is_empty() {
            true => String::new(),
            false => format!(
                "<svg width=\"0\" height=\"0\" style=\"position:absolute\" aria-hidden=\"true\"><defs>\n{}\n</defs></svg>\n",
                self.0.iter().map(cell).collect::<Vec<_>>().join("\n")
            ),
        }
    }

    /// A picture in which what is shared is named.
    fn short(&self, svg: &str) -> String {
        let mut text = String::new();
        let mut rest = svg;
        for cell in cells(svg) {
            let (Some(id), Some((before, after))) = (self.0.get(cell), rest.split_once(cell)) else {
                continue;
            };
            text += before;
            // Writing into a text cannot fail.
            let _ = write!(text, "<use href=\"#cell-{id}\"/>");
            rest = after;
        }
        text + rest
    }
}

/// The cells of a picture, each from its group's beginning to its end.
fn cells(svg: &str) -> impl Iterator<Item = &str> {
    svg.match_indices(CELL).filter_map(|(at, _)| {
        let mut deep = 0usize;
        let mut end = at;
        for line in svg[at..].split_inclusive('\n') {
            deep = (deep + line.matches("<g ").count() + line.matches("<g>").count())
                .checked_sub(line.matches("</g>").count())?;
            end += line.len();
            if deep == 0 {
                return Some(svg[at..end].trim_end());
            }
        }
        None
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_that_occur_again_are_written_once() {
        let cell =
            |points: &str| format!("{CELL}>\n<g class=\"in\"><polygon points=\"{points}\"/></g>\n</g>");
        let picture = |own: &str| format!("<svg>\n{}\n{}\n<text>{own}</text></svg>", cell("1,1"), cell(own));
        let parts = ["2,2", "3,3"].map(|own| ReportPart::Picture(picture(own), own.to_owned()));
        let page = html(&parts.into_iter().collect());
        assert_eq!(page.matches("points=\"1,1\"").count(), 1, "{page}");
        assert_eq!(page.matches("<use href=\"#cell-0\"/>").count(), 2, "{page}");
        assert!(
            page.contains("points=\"2,2\"") && page.contains("points=\"3,3\""),
            "{page}"
        );
        assert_eq!(page.matches("<g").count(), page.matches("</g>").count(), "{page}");
    }
}
