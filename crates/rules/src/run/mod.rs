//! Running rules: values, nodes, the instructions made of them, the machine for these, and what they may call.

pub mod acting;
pub mod asking;
pub mod code;
pub mod compile;
pub mod context;
pub mod dispatch;
pub mod fault;
pub mod fuel;
pub mod function;
pub mod heap;
mod items;
pub mod library;
pub mod lower;
pub mod machine;
pub mod measuring;
pub mod members;
pub mod memo;
pub mod moving;
pub mod natives;
pub mod node;
pub mod observe;
pub mod operate;
#[cfg(any(test, feature = "trials"))]
pub mod oracle;
pub mod throwing;
pub mod value;
pub mod view;
