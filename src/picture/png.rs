//! SVG as PNG. Fonts are the program's own, never the machine's, so the bytes are the same everywhere.

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

/// The picture as a PNG file, `scale` pixels to one of its units.
///
/// # Errors
///
/// Text that is no SVG, and a scale at which the picture would be empty or enormous.
pub fn encode(svg: &str, scale: f32) -> Result<Vec<u8>, Problem> {
    let options = Options {
        fontdb: Arc::clone(&FONTS),
        font_family: "sans-serif".to_owned(),
        ..Options::default()
    };
    let tree = Tree::from_str(svg, &options)
        .map_err(|error| Problem::new(format!("the picture cannot be drawn: {error}")))?;
    let size = tree.size();
    let (width, height) = ((size.width() * scale).ceil(), (size.height() * scale).ceil());
    let in_range = |v: f32| (1.0..=MOST_PIXELS).contains(&v);
    let too_large = || {
        Problem::new(format!(
            "at scale {scale} the picture would be {width} by {height} pixels"
        ))
        .hint(format!(
            "the sides of a PNG have 1 to {MOST_PIXELS} pixels; a scale of 2 is good for print"
        ))
    };
    if !in_range(width) || !in_range(height) {
        return Err(too_large());
    }
    let mut pixels = Pixmap::new(width as u32, height as u32).ok_or_else(too_large)?;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixels.as_mut());
    pixels
        .encode_png()
        .map_err(|error| Problem::new(format!("the picture cannot be written as PNG: {error}")))
}
