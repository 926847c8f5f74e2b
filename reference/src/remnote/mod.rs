//! The remnote contract: search, search by tag and read over a knowledge base of Rems, answered as a bridge answers.
//! A request is read by `arguments` and answered by `search` from the Rems that `corpus` holds: `rich` renders the `piece`s of
//! rich text, `item` makes what every answer says of a Rem, `content` what is below it.
//! Where the document is silent, the project's decisions on remnote say what is done here.

pub(crate) mod arguments;
mod content;
pub(crate) mod corpus;
mod item;
mod piece;
mod rem;
mod rich;
pub(crate) mod search;
