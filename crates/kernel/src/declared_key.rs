//! Keys of what scripts and files declare, with their descriptions.

/// A key of something that scripts or files declare.
pub struct DeclaredKey {
    /// Its name.
    pub name: &'static str,
    /// Description, in the form of a native's description; its examples are written as the declaration has
    /// them.
    pub doc: &'static str,
}

impl DeclaredKey {
    /// The head of the function that a hook's example defines, `worth(side)`: what it is called with.
    pub fn head(&self) -> Option<&'static str> {
        let (_, example) = self.doc.split_once("`fn ")?;
        example.split_once(" {").map(|(head, _)| head)
    }

    /// Returns its first example.
    pub fn example(&self) -> Option<&'static str> {
        let (_, example) = self.doc.split_once("- `")?;
        Some(example.split_once('`')?.0)
    }

    /// Returns the description of the value that it gives, if that cannot be nothing.
    pub fn must_give(&self) -> Option<&'static str> {
        let (_, gives) = self.doc.split_once("- gives: ")?;
        let gives = gives.lines().next()?;
        (!gives.contains("nothing")).then_some(gives)
    }

    /// Returns the parameters of a hook's function.
    pub fn params(&self) -> Option<impl Iterator<Item = &'static str> + use<>> {
        let (_, params) = self.head()?.strip_suffix(')')?.split_once('(')?;
        Some(params.split_terminator(',').map(str::trim))
    }
}

/// A table of keys, each documented where it is listed.
#[macro_export]
macro_rules! keys {
    ($( $table:ident $about:literal: $( $(#[doc = $doc:literal])+ $name:literal; )+ )+) => {$(
        #[doc = $about]
        pub const $table: &[DeclaredKey] = &[$(
            DeclaredKey { name: $name, doc: concat!($($doc, "\n"),+) }
        ),+];
    )+};
}
