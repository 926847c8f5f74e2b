//! Judges implementations of the retrieval contracts.
