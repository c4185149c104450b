//! Pictures as files: the ending of the name says which format.

use super::scene::Scene;
use super::svg::PictureExtent;
use super::{png, problems, svg};
use crate::files::write_named;
use crate::report::{Problem, did_you_mean};
use std::path::Path;

/// A format of picture files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Lines and text; sharp at any size.
    Svg,
    /// Pixels; can be pasted anywhere.
    Png,
}

impl Format {
    /// The ending of its files.
    pub fn ending(self) -> &'static str {
        match self {
            Format::Svg => "svg",
            Format::Png => "png",
        }
    }

    /// The format that a file's name asks for.
    ///
    /// # Errors
    ///
    /// A name that ends otherwise.
    pub fn of(path: &str) -> Result<Self, Problem> {
        let all = [Format::Svg, Format::Png];
        let ending = Path::new(path).extension().and_then(|e| e.to_str());
        let lower = ending.map(str::to_lowercase);
        if let Some(format) = all.into_iter().find(|f| lower.as_deref() == Some(f.ending())) {
            return Ok(format);
        }
        let near = ending.and_then(|e| did_you_mean(e, all.map(Format::ending)));
        let stem = ending.map_or(path, |e| path[..path.len() - e.len()].trim_end_matches('.'));
        let example = format!("{stem}.{}", near.as_deref().unwrap_or("png"));
        Err(problems::unknown_format(path, example))
    }
}

/// Writes a picture, in the format that the name's ending says, and returns its width and height in
/// pixels; `scale` is pixels to one picture unit.
///
/// # Errors
///
/// An ending that is no format, a scale that is no size, a place that cannot be written.
pub fn save(scene: &Scene, path: &str, scale: f64) -> Result<(u32, u32), Problem> {
    let format = Format::of(path)?;
    if !(0.05..=50.0).contains(&scale) {
        return Err(problems::wrong_scale(scale));
    }
    let (text, (width, height)) = svg::scaled(scene, PictureExtent::Whole, scale);
    let size = |v: f64| (v * scale).ceil() as u32;
    let bytes = match format {
        Format::Svg => text.into_bytes(),
        Format::Png => png::encode(&text)?,
    };
    write_named(path, &bytes)?;
    Ok((size(width), size(height)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ending_says_the_format() {
        assert_eq!(Format::of("a.svg"), Ok(Format::Svg));
        assert_eq!(Format::of("some.folder/A.PNG"), Ok(Format::Png));
    }

    #[test]
    fn other_endings_are_refused_with_a_name_that_would_do() {
        for (path, example) in [("b.jpg", "b.png"), ("b.svgz", "b.svg"), ("b", "b.png")] {
            let problem = problems::unknown_format(path, example.to_owned());
            assert_eq!(Format::of(path), Err(problem));
        }
    }
}
