//! The reference: one small, honest program that implements every contract.

fn main() {}
