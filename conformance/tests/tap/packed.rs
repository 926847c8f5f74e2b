//! Bodies as servers compress them.

use flate2::Compression;
use flate2::read::{DeflateEncoder, GzEncoder, ZlibEncoder};
use std::io::Read;

pub(super) fn gzip(body: &[u8]) -> Vec<u8> {
    all_of(GzEncoder::new(body, Compression::fast()))
}

pub(super) fn zlib(body: &[u8]) -> Vec<u8> {
    all_of(ZlibEncoder::new(body, Compression::fast()))
}

pub(super) fn deflate(body: &[u8]) -> Vec<u8> {
    all_of(DeflateEncoder::new(body, Compression::fast()))
}

fn all_of(mut from: impl Read) -> Vec<u8> {
    let mut all = Vec::new();
    from.read_to_end(&mut all).unwrap();
    all
}
