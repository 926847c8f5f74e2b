//! What a comment says: reports, cut where they are longer than there is room, with a count of what is left out. Pure.

use conformance::redact::{Redactor, Secrets};

/// Reports, one after the other.
pub(super) struct Body(String);

impl Body {
    /// These reports without the token, should one of them have it.
    pub(super) fn of(reports: &[String], token: Option<&str>) -> Self {
        let reports: Vec<&str> = reports.iter().map(|report| report.trim()).collect();
        let mut text = reports.join("\n\n") + "\n";
        if text.trim().is_empty() {
            // What an earlier run said must not stay.
            "There is no report. The log of the job says why.\n".clone_into(&mut text);
        }
        let mut secrets = Secrets::default();
        token.iter().for_each(|token| secrets.add("GITHUB_TOKEN", token));
        Self(Redactor::new(secrets).redacted(&text))
    }

    /// All of it, or as many lines as there is room for, and a line that counts the others. What the cut leaves open is closed.
    pub(super) fn within(&self, most: usize) -> String {
        if self.0.len() <= most {
            return self.0.clone();
        }
        let lines: Vec<&str> = self.0.split_inclusive('\n').collect();
        let (mut end, mut kept, mut ending) = (0, 0, String::new());
        let mut open = Open::default();
        for (at, line) in lines.iter().enumerate() {
            open.read(line);
            let closed = open.closed() + &left_out(lines.len() - at - 1, lines.len());
            // What is open can only grow shorter again by lines that need room themselves.
            if end + line.len() + closed.len() <= most {
                (kept, ending) = (end + line.len(), closed);
            }
            end += line.len();
            if end > most {
                break;
            }
        }
        match kept {
            0 => String::new(),
            kept => self.0[..kept].to_owned() + &ending,
        }
    }
}

fn left_out(lines: usize, all: usize) -> String {
    format!("\n… {lines} of {all} lines are left out: there is no room for more here.\n")
}

/// What is open in Markdown that our reports write: a block of code, and details around it.
#[derive(Default)]
struct Open {
    fence: Option<String>,
    details: usize,
}

impl Open {
    fn read(&mut self, line: &str) {
        let line = line.trim_end();
        let ticks = line.len() - line.trim_start_matches('`').len();
        match &self.fence {
            Some(fence) if ticks >= fence.len() && ticks == line.len() => self.fence = None,
            Some(_) => {}
            None if ticks >= 3 && !line[ticks..].contains('`') => self.fence = Some("`".repeat(ticks)),
            None if line.starts_with("<details") => self.details += 1,
            None if line == "</details>" => self.details = self.details.saturating_sub(1),
            None => {}
        }
    }

    fn closed(&self) -> String {
        let fence = self.fence.as_ref().map_or_else(String::new, |fence| format!("{fence}\n"));
        format!("{fence}{}", "\n</details>\n".repeat(self.details))
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "what a test did not look for fails it where it stands")]
mod tests {
    use super::Body;
    use rstest::rstest;

    /// A report with a heading, a block of code in details, and many lines.
    fn long(lines: usize) -> String {
        let code: String = (0..lines).map(|line| format!("- line {line}\n")).collect();
        format!("# A\n\n<details open><summary>in a</summary>\n\n````diff\n{code}````\n\n</details>\n\nthe end\n")
    }

    #[test]
    fn what_has_room_stays() {
        let body = Body::of(&["# A\n\n".to_owned(), "\n# B".to_owned()], None);
        assert_eq!(body.within(100), "# A\n\n# B\n");
    }

    #[rstest]
    #[case::plain("ghs_Qz8vTokAbC9dEf")]
    #[case::base64("eC1hY2Nlc3MtdG9rZW46Z2hzX1F6OHZUb2tBYkM5ZEVm")]
    #[case::hex("6768735f517a3876546f6b41624339644566")]
    fn a_token_goes_in_any_form(#[case] form: &str) {
        let body = Body::of(&[format!("it says {form}")], Some("ghs_Qz8vTokAbC9dEf")).within(100);
        assert!(body.contains("[redacted: GITHUB_TOKEN") && !body.contains(&form[16..]), "{body}");
    }

    #[rstest]
    fn what_has_none_is_counted_and_closed(#[values(300, 400, 401, 402, 403, 1000)] most: usize) {
        let text = long(100);
        let cut = Body::of(std::slice::from_ref(&text), None).within(most);
        assert!(cut.len() <= most && cut.len() + 20 > most, "{}", cut.len());
        let (kept, rest) = cut.split_once("````\n\n</details>\n\n… ").unwrap();
        assert!(text.starts_with(kept), "{kept}");
        let all = text.lines().count();
        let left_out = all - kept.lines().count();
        assert!(rest.starts_with(&format!("{left_out} of {all} lines are left out")), "{rest}");
    }

    #[rstest]
    #[case::a_shorter_fence_inside("````\n```\ntext", "````\n")]
    #[case::code_that_looks_like_details("```\n<details>\ntext", "```\n")]
    #[case::details_in_details("<details><summary>a</summary>\n<details>\ntext", "\n</details>\n\n</details>\n")]
    #[case::nothing_open("```\na\n```\ntext", "")]
    fn what_is_open_is_closed(#[case] beginning: &str, #[case] end: &str) {
        let text = format!("{beginning}\n{}", "a line\n".repeat(100));
        let cut = Body::of(&[text], None).within(400);
        let (kept, _) = cut.split_once("\n… ").unwrap();
        let kept = kept.strip_suffix(end).unwrap();
        assert!(kept.ends_with("a line\n"), "{kept}");
    }

    #[test]
    fn a_line_longer_than_the_room_is_left_out() {
        let cut = Body::of(&[format!("first\n{}\n", "ü".repeat(1000))], None).within(200);
        assert!(cut.starts_with("first\n\n… 1 of 2 lines are left out"), "{cut}");
        assert_eq!(Body::of(&["ü".repeat(1000)], None).within(200), "");
    }
}
