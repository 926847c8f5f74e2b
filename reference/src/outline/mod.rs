//! The outline contract: record trees as indented text, or as the JSON that the text stands for.
//! A request is read by `arguments` and answered by `answer` from the records that `store` holds: `search` finds them, `tree`
//! puts them below their parents, `text` makes the user's words safe, `cut` shortens them, `render` prints.
//! Where the document is silent, the project's decisions on outline say what is done here.

pub(crate) mod answer;
pub(crate) mod arguments;
mod cut;
mod record;
mod render;
mod search;
pub(crate) mod store;
mod text;
mod tree;
