//! Judges implementations of the retrieval contracts.
//!
//! # How data flows
//!
//! ```text
//! schemas/, fixtures/ ── load ──> Suite ─┐
//! conformance.toml ── targets ──> Target ┴── collect ──> evidence ── judge ──> findings ── ledger ──> RunLog ── report ──> text
//! ```
//!
//! Evidence comes first, judgement second: `collect` calls the target and judges nothing, and `judge` is a pure function of a
//! case and its evidence. So evidence can be stored and judged again (`rejudge`), damaged to prove that a check can fail
//! (`prove`), or recorded from the traffic of others (`tap`). Answers that do not conform are data, never an `Err`: an `Err` means
//! that we could not find out.
//!
//! # Layers
//!
//! A module imports only modules above it in this list, and a pure one touches no file, clock, process, network, environment or
//! random source. `tests/layers` holds both, and that no two files import each other.
//!
//! 1. `text`, pure: texts that act on no terminal, the nearest known name, fingerprints, tokens.
//! 2. `files`: files that somebody names, of bounded size.
//! 3. `model`, pure: the nouns, as plain data: contract, case, evidence, finding, outcome, and the lines of a log.
//! 4. `path`, pure: JSON paths into evidence, and picks, which take arguments from it.
//! 5. `format`, pure: text answers → JSON and problems; what is general.
//! 6. `rules`, pure: relations that a schema cannot express; what is general.
//! 7. `contracts`, pure: what knows one document: its formats, rules, picks and random corpora. Only here is a contract named.
//! 8. `rewrite`, pure: a recorded reply → what another correct program would have sent.
//! 9. `load`: files → `Suite`, or every problem at once with its place.
//! 10. `redact`, pure: what may be written or shown.
//! 11. `derive`, pure: a raw reply → the exchange that is judged.
//! 12. `transport`: one call → one raw reply, over HTTP, MCP, a command line, or from a recording.
//! 13. `targets`: target files; starting, seeding and stopping what they name.
//! 14. `collect`: the calls of a case → evidence.
//! 15. `judge`, pure: evidence → findings.
//! 16. `ledger`, pure: findings and known failures → outcomes, the whole run, and two runs compared.
//! 17. `report`, pure: a run → text for people and programs.
//! 18. `spill`: log lines that wait in a temporary file.
//! 19. `prove`, pure: the proof that every check can fail, and that it lets correct programs pass.
//! 20. `run`: every selected case at every endpoint.
//! 21. `rejudge`: recorded evidence, judged by the suite as it is now.
//! 22. `diff`: two revisions of the contracts → what changed and whom it breaks.
//! 23. `explore`: random calls over random corpora, compared with the reference.
//! 24. `tap`, pure: the traffic between a client and a server → findings.
//! 25. `gate`: one call for a test of an implementation.
//! 26. `schemas`, pure: the JSON Schemas of our own files.
//!
//! # Where things belong
//!
//! A noun that two layers need is plain data in `model`. What it takes a suite to answer is a function in `load`. What only one
//! module needs stays in that module, in a file beside its `mod.rs`, which says what the folder is and hands on what others use.

pub mod collect;
pub mod contracts;
pub mod derive;
pub mod diff;
pub mod explore;
pub mod files;
pub mod format;
pub mod gate;
pub mod judge;
pub mod ledger;
pub mod load;
pub mod model;
mod path;
pub mod prove;
pub mod redact;
pub mod rejudge;
pub mod report;
mod rewrite;
mod rules;
pub mod run;
pub mod schemas;
pub mod spill;
pub mod tap;
pub mod targets;
pub mod text;
pub mod transport;
