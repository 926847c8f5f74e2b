//! Rules, each tried on what it is for and on what is hostile to it.

mod advertised;
mod again;
mod bullets;
mod bundles;
mod forms;
mod frames;
mod offered;
mod outlines;
mod outlines_second;
mod relations;
mod times;
mod trial;
mod valid_by;
mod witness;
mod words;
