//! Source files as modules: what each defines, imports and mentions. Test code is left out.

use proc_macro2::{Spacing, TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use syn::visit::{self, Visit};
use syn::{Attribute, Item, UseTree, Visibility};

/// The path of a module below its crate; empty for the crate itself.
pub(crate) type ModulePath = Vec<String>;

/// The modules of a crate.
#[derive(Default)]
pub(crate) struct Tree {
    pub(crate) modules: BTreeMap<ModulePath, Module>,
}

/// One module: a file, or a `mod` with braces inside of one.
#[derive(Default)]
pub(crate) struct Module {
    /// The file, relative to `src`.
    pub(crate) file: String,
    /// The names of what it defines.
    pub(crate) items: BTreeSet<String>,
    /// What `use` brings in, by the name that it has here.
    pub(crate) names: BTreeMap<String, Vec<String>>,
    /// The modules of which it takes everything.
    pub(crate) globs: Vec<Vec<String>>,
    /// Every path, as it is written.
    pub(crate) mentions: Vec<Mention>,
    /// Every text and every identifier.
    pub(crate) words: Vec<Word>,
    /// The methods that it calls, each with its line.
    pub(crate) methods: Vec<(String, usize)>,
}

/// A path in the code.
pub(crate) struct Mention {
    pub(crate) path: Vec<String>,
    pub(crate) line: usize,
    /// Whether it is handed on: `pub use`.
    pub(crate) is_export: bool,
}

/// A text or an identifier in the code.
pub(crate) struct Word {
    pub(crate) text: String,
    pub(crate) line: usize,
    pub(crate) is_text: bool,
}

impl Tree {
    /// Reads the files of a crate, by their paths below `src`.
    pub(crate) fn of(files: &BTreeMap<String, String>) -> Self {
        let mut tree = Self::default();
        tree.modules.insert(ModulePath::new(), Module { file: "lib.rs".to_owned(), ..Module::default() });
        for (name, text) in files {
            let parsed = syn::parse_file(text).unwrap_or_else(|error| panic!("{name} is not Rust: {error}"));
            let mut reader = Reader { tree: &mut tree, file: name.clone(), at: module_path(name) };
            reader.enter(reader.at.clone());
            reader.visit_file(&parsed);
        }
        tree
    }
}

/// Files that are a crate themselves: the library and the programs that call it.
const PROGRAMS: [&str; 3] = ["lib", "main", "standalone"];

/// The module that a file holds.
fn module_path(file: &str) -> ModulePath {
    let path = Path::new(file).with_extension("");
    let mut parts: ModulePath = path.iter().map(|part| part.to_str().unwrap().to_owned()).collect();
    if parts.last().is_some_and(|last| last == "mod") || PROGRAMS.iter().any(|name| parts == [*name]) {
        parts.pop();
    }
    parts
}

struct Reader<'t> {
    tree: &'t mut Tree,
    file: String,
    at: ModulePath,
}

impl Reader<'_> {
    fn enter(&mut self, at: ModulePath) {
        self.tree.modules.entry(at.clone()).or_default().file.clone_from(&self.file);
        self.at = at;
    }

    fn here(&mut self) -> &mut Module {
        self.tree.modules.get_mut(&self.at).expect("a module is entered before it is read")
    }

    fn mention(&mut self, path: Vec<String>, line: usize, is_export: bool) {
        self.here().mentions.push(Mention { path, line, is_export });
    }

    fn uses(&mut self, tree: &UseTree, before: &[String], is_export: bool) {
        let with = |name: String| before.iter().cloned().chain([name]).collect::<Vec<_>>();
        match tree {
            UseTree::Path(path) => self.uses(&path.tree, &with(path.ident.to_string()), is_export),
            UseTree::Group(group) => group.items.iter().for_each(|one| self.uses(one, before, is_export)),
            UseTree::Glob(star) => {
                self.here().globs.push(before.to_vec());
                self.mention(before.to_vec(), star.star_token.spans[0].start().line, is_export);
            }
            UseTree::Name(name) => self.named(name.ident.to_string(), &name.ident, before, is_export),
            UseTree::Rename(rename) => {
                self.named(rename.ident.to_string(), &rename.ident, before, is_export);
                let (path, alias) = (with(rename.ident.to_string()), rename.rename.to_string());
                self.here().names.insert(alias, path);
            }
        }
    }

    fn named(&mut self, name: String, ident: &syn::Ident, before: &[String], is_export: bool) {
        let mut path = before.to_vec();
        if name != "self" {
            path.push(name);
        }
        self.mention(path.clone(), ident.span().start().line, is_export);
        if let Some(alias) = path.last().cloned() {
            self.here().names.insert(alias, path);
        }
    }

    /// The paths, texts and identifiers of what a macro is given.
    fn tokens(&mut self, tokens: TokenStream) {
        let mut path: Vec<String> = Vec::new();
        let (mut line, mut colons) = (0, 0);
        for token in tokens {
            match token {
                TokenTree::Ident(ident) => {
                    if colons != 2 {
                        self.path_ended(&mut path, line);
                    }
                    line = ident.span().start().line;
                    self.word(ident.to_string(), line, false);
                    path.push(ident.to_string());
                    colons = 0;
                }
                TokenTree::Punct(punct) if punct.as_char() == ':' && !path.is_empty() => {
                    colons += if punct.spacing() == Spacing::Joint || colons == 1 { 1 } else { 3 };
                }
                TokenTree::Literal(literal) => {
                    let at = literal.span().start().line;
                    self.path_ended(&mut path, line);
                    if let Ok(text) = syn::parse_str::<syn::LitStr>(&literal.to_string()) {
                        self.word(text.value(), at, true);
                    }
                }
                TokenTree::Group(group) => {
                    self.path_ended(&mut path, line);
                    self.tokens(group.stream());
                }
                TokenTree::Punct(_) => self.path_ended(&mut path, line),
            }
        }
        self.path_ended(&mut path, line);
    }

    fn path_ended(&mut self, path: &mut Vec<String>, line: usize) {
        let path = std::mem::take(path);
        if path.len() > 1 {
            self.mention(path, line, false);
        }
    }

    fn word(&mut self, text: String, line: usize, is_text: bool) {
        self.here().words.push(Word { text, line, is_text });
    }
}

impl<'ast> Visit<'ast> for Reader<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        let (attributes, name) = described(item);
        if attributes.iter().any(is_of_tests) {
            return;
        }
        if let Some(name) = name {
            self.here().items.insert(name);
        }
        match item {
            // Help names contracts, as people type them.
            Item::Const(one) if one.ident == "EXAMPLES" => {}
            Item::Use(one) => self.uses(&one.tree, &[], !matches!(one.vis, Visibility::Inherited)),
            Item::Mod(one) if one.content.is_some() => {
                let outside = self.at.clone();
                let inside = outside.iter().cloned().chain([one.ident.to_string()]).collect();
                self.enter(inside);
                visit::visit_item_mod(self, one);
                self.at = outside;
            }
            _ => visit::visit_item(self, item),
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let names: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        if names.len() > 1 {
            self.mention(names, path.segments[0].ident.span().start().line, false);
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, called: &'ast syn::Macro) {
        self.visit_path(&called.path);
        self.tokens(called.tokens.clone());
    }

    fn visit_attribute(&mut self, attribute: &'ast Attribute) {
        if !attribute.path().is_ident("doc") {
            visit::visit_attribute(self, attribute);
        }
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        let method = (call.method.to_string(), call.method.span().start().line);
        self.here().methods.push(method);
        visit::visit_expr_method_call(self, call);
    }

    fn visit_lit_str(&mut self, text: &'ast syn::LitStr) {
        self.word(text.value(), text.span().start().line, true);
    }

    fn visit_ident(&mut self, ident: &'ast syn::Ident) {
        self.word(ident.to_string(), ident.span().start().line, false);
    }
}

fn is_of_tests(attribute: &Attribute) -> bool {
    attribute.path().is_ident("cfg") && attribute.parse_args::<syn::Ident>().is_ok_and(|given| given == "test")
}

/// The attributes of an item, and the name that it defines.
fn described(item: &Item) -> (&[Attribute], Option<String>) {
    let (attributes, ident) = match item {
        Item::Const(one) => (&one.attrs, Some(&one.ident)),
        Item::Enum(one) => (&one.attrs, Some(&one.ident)),
        Item::Fn(one) => (&one.attrs, Some(&one.sig.ident)),
        Item::Macro(one) => (&one.attrs, one.ident.as_ref()),
        Item::Mod(one) => (&one.attrs, None),
        Item::Static(one) => (&one.attrs, Some(&one.ident)),
        Item::Struct(one) => (&one.attrs, Some(&one.ident)),
        Item::Trait(one) => (&one.attrs, Some(&one.ident)),
        Item::Type(one) => (&one.attrs, Some(&one.ident)),
        Item::Impl(one) => (&one.attrs, None),
        Item::Use(one) => (&one.attrs, None),
        _ => return (&[], None),
    };
    (attributes, ident.map(ToString::to_string))
}
