//! A page with all its files in it, which needs no server. Its own scripts and styles may run, each by its hash, and
//! nothing else; what it holds as data can never be taken for script.

use super::{FILES, PAGE, hash, text_of};
use crate::reports::web::escaped;

/// Data in a page that stands alone: the element's name, its type, and its text.
pub(super) struct DataBlock<'a> {
    pub id: &'a str,
    pub kind: &'a str,
    pub text: &'a str,
}

/// Returns the page with its files and these blocks of data in it. `in_place` names the file to put in place of one of
/// [`FILES`], or none to leave it out. `permits` adds directives to the content security policy.
pub(super) fn page(
    title: &str,
    in_place: impl Fn(&'static str) -> Option<&'static str>,
    permits: Permits<'_>,
    blocks: &[DataBlock<'_>],
) -> String {
    let mut page = text_of(PAGE);
    let (mut scripts, mut styles) = (permits.scripts.to_owned(), String::new());
    for name in FILES {
        let is_style = name.ends_with(".css");
        let tag = match is_style {
            true => format!("<link rel=\"stylesheet\" href=\"{name}\">"),
            false => format!("<script type=\"module\" src=\"{name}\"></script>"),
        };
        let Some(put) = in_place(name) else {
            page = page.replacen(&format!("{tag}\n"), "", 1);
            continue;
        };
        let text = text_of(put);
        let hashed = format!(" 'sha256-{}'", hash(put));
        let within = match is_style {
            true => {
                styles.push_str(&hashed);
                format!("<style>{text}</style>")
            }
            false => {
                scripts.push_str(&hashed);
                format!("<script type=\"module\">{text}</script>")
            }
        };
        page = page.replacen(&tag, &within, 1);
    }
    let policy = format!(
        "default-src 'none'; script-src{scripts}; style-src{styles}; img-src data:; base-uri 'none'; \
         form-action 'none'; require-trusted-types-for 'script'; {}",
        permits.others
    );
    let head = "<meta charset=\"utf-8\">\n";
    let policy = format!("{head}<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n");
    let blocks = blocks.iter().map(|DataBlock { id, kind, text }| {
        // Nothing in the data may end the script that it stands in.
        let text = text.replace('<', "\\u003c");
        format!("<script type=\"{kind}\" id=\"{id}\">{text}</script>\n")
    });
    let blocks: String = blocks.collect();
    page.replacen(head, &policy, 1)
        .replacen(
            "<title>rulebench</title>",
            &format!("<title>{}</title>", escaped(title)),
            1,
        )
        .replacen("</body>", &format!("{blocks}</body>"), 1)
}

/// Directives of the content security policy besides those of every page.
#[derive(Clone, Copy)]
pub(super) struct Permits<'a> {
    /// Sources of scripts, each with a blank before it.
    pub scripts: &'a str,
    /// Whole directives.
    pub others: &'a str,
}
