//! The two eras of MCP: a handshake opens the older one, and every request of the newer one says what it needs.

use rmcp::model::ProtocolVersion;

/// Which clients are served.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Era {
    /// Those that begin with `initialize`: 2024-11-05 to 2025-11-25
    Legacy,
    /// Those that say everything in each request: 2026-07-28
    Modern,
    /// Both, side by side
    #[default]
    Both,
}

/// All versions, the newest first, which is the order that clients are told them in.
const VERSIONS: &[ProtocolVersion] = &[
    ProtocolVersion::V_2026_07_28,
    ProtocolVersion::V_2025_11_25,
    ProtocolVersion::V_2025_06_18,
    ProtocolVersion::V_2025_03_26,
    ProtocolVersion::V_2024_11_05,
];
/// How many of them have no handshake.
const MODERN: usize = 1;

impl Era {
    pub(super) fn versions(self) -> &'static [ProtocolVersion] {
        let (modern, legacy) = VERSIONS.split_at(MODERN);
        match self {
            Self::Legacy => legacy,
            Self::Modern => modern,
            Self::Both => VERSIONS,
        }
    }

    pub(super) fn speaks(self, version: &str) -> bool {
        self.versions().iter().any(|known| known.as_str() == version)
    }

    /// The versions as a sentence lists them.
    pub(super) fn listed(self) -> String {
        self.versions().iter().map(ProtocolVersion::as_str).collect::<Vec<_>>().join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::{Era, MODERN, VERSIONS};

    #[test]
    fn each_version_belongs_to_the_era_that_its_handshake_says() {
        assert!(VERSIONS[..MODERN].iter().all(|version| !version.has_initialize()));
        assert!(Era::Legacy.versions().iter().all(rmcp::model::ProtocolVersion::has_initialize));
        assert_eq!(Era::Both.versions().len(), rmcp::model::ProtocolVersion::KNOWN_VERSIONS.len());
    }
}
