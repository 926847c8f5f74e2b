//! What outlines cost, counted.

use super::xtask;
use serde_json::Value;
use testing::said;

#[test]
fn the_table_of_the_document_is_counted() {
    let said = said(&mut xtask(&["dev", "tokens", "--format", "json"]));
    assert_eq!(said.code, Some(0), "{}", said.err);
    let table: Value = serde_json::from_str(&said.out).unwrap();
    let rows = table["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 5);
    let counts = ["json_indented", "json_bare", "outline"].map(|key| rows[0][key].as_u64().unwrap());
    // Counted with other tokenizers of the same vocabulary.
    assert_eq!(counts, [238, 153, 70]);
    for row in rows {
        let count = |key: &str| row[key].as_u64().unwrap();
        assert!(count("minimal") < count("outline") && count("outline") < count("json_bare"), "{row}");
        assert!(row["saved_of_indented"].as_i64().unwrap() >= 50, "{row}");
    }
}
