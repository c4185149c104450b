//! Rows with aligned columns, as every page prints them.

/// The rows; a column whose cells below the first row all begin with a digit or a sign is aligned at its end.
pub fn aligned(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let cells = |c: usize| rows.iter().filter_map(move |r| r.get(c));
    let width = |c: usize| cells(c).map(|t| t.chars().count()).max().unwrap_or(0);
    let is_number = |c: usize| {
        let mut numbers = cells(c).skip(1).filter(|t| !t.is_empty()).peekable();
        let digits = |t: &String| {
            t.trim_start_matches(['-', '+'])
                .starts_with(|c: char| c.is_ascii_digit())
        };
        numbers.peek().is_some() && numbers.all(|t| digits(t) || t == "-")
    };
    let shape: Vec<(usize, bool)> = (0..columns).map(|c| (width(c), is_number(c))).collect();
    let line = |row: &Vec<String>| {
        let cells = row
            .iter()
            .zip(&shape)
            .map(|(text, (width, number))| match number {
                true => format!("{text:>width$}  "),
                false => format!("{text:width$}  "),
            });
        cells.collect::<String>().trim_end().to_owned()
    };
    rows.iter().map(line).collect::<Vec<_>>().join("\n")
}
