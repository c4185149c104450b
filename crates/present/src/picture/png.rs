//! SVG as PNG. Fonts are the program's own, never the machine's, so the bytes are the same everywhere.

use super::problems::{undrawable, wrong_size};
use crate::report::Problem;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb};
use std::sync::{Arc, LazyLock};

/// The largest picture, in pixels to a side.
const MOST_PIXELS: f32 = 12_000.0;

static FONTS: LazyLock<Arc<fontdb::Database>> = LazyLock::new(|| {
    let mut fonts = fontdb::Database::new();
    fonts.load_font_data(dejavu::sans_condensed::regular().to_vec());
    fonts.load_font_data(dejavu::sans_condensed::bold().to_vec());
    let family = fonts
        .faces()
        .next()
        .and_then(|face| face.families.first().map(|(name, _)| name.clone()));
    fonts.set_sans_serif_family(family.unwrap_or_default());
    Arc::new(fonts)
});

/// The picture as a PNG file.
///
/// # Errors
///
/// Text that is no SVG, and a picture that would be empty or enormous.
pub fn encode(svg: &str) -> Result<Vec<u8>, Problem> {
    let options = Options {
        fontdb: Arc::clone(&FONTS),
        font_family: "sans-serif".to_owned(),
        ..Options::default()
    };
    let tree = Tree::from_str(svg, &options).map_err(undrawable)?;
    let size = tree.size();
    let (width, height) = (size.width().ceil(), size.height().ceil());
    let in_range = |v: f32| (1.0..=MOST_PIXELS).contains(&v);
    let too_large = || wrong_size(width, height, MOST_PIXELS);
    if !in_range(width) || !in_range(height) {
        return Err(too_large());
    }
    let mut pixels = Pixmap::new(width as u32, height as u32).ok_or_else(too_large)?;
    resvg::render(&tree, Transform::identity(), &mut pixels.as_mut());
    pixels.encode_png().map_err(undrawable)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SVG: &str = "<svg xmlns='http://www.w3.org/2000/svg' width='40' height='20' \
        font-family='Arial, sans-serif'><rect width='40' height='20' fill='#fff'/>\
        <text x='2' y='15' font-size='14'>Ar1</text></svg>";

    /// Width and height, as the file's head says them.
    fn size(png: &[u8]) -> (u32, u32) {
        let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().expect("four bytes"));
        (number(16), number(20))
    }

    #[test]
    fn the_same_picture_is_the_same_bytes() {
        let one = encode(SVG).expect("it can be drawn");
        assert_eq!(one, encode(SVG).expect("it can be drawn"));
        assert_eq!(size(&one), (40, 20));
    }

    #[test]
    fn text_is_drawn_without_fonts_of_the_machine() {
        let without = SVG.replace("Ar1", "");
        assert_ne!(encode(SVG), encode(&without));
    }

    #[test]
    fn what_is_no_picture_or_no_size_is_refused() {
        let sized = |wide: &str| SVG.replacen("width='40'", &format!("width='{wide}'"), 1);
        for text in ["", "<svg", &sized("0"), &sized("-1"), &sized("1e9")] {
            assert!(encode(text).is_err(), "{text}");
        }
    }
}
