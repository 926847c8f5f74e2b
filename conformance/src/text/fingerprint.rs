//! Fingerprints: the first bytes of a digest, in hexadecimal.

use sha2::{Digest, Sha256};

/// The first `most` bytes of what a digest comes to.
pub(crate) fn first(digest: Sha256, most: usize) -> String {
    digest.finalize().iter().take(most).map(|byte| format!("{byte:02x}")).collect()
}
