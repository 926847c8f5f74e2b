// A knowledge base of Rems: what each is called, what it is, and what stands below it.

import { readFileSync } from "node:fs";
import { join } from "node:path";

const DELIMITERS = { concept: "::", descriptor: ";;" };
const MOST_COUNTED = 2000;

/** The objects of a file of JSON lines. */
const lines = (file) => readFileSync(file, "utf8").split("\n").filter(Boolean).map((line) => JSON.parse(line));

export class Rems {
  /** Reads the folder of a corpus as a release of the bridge would know it. */
  constructor(folder, release) {
    this.release = release;
    const files = release.hasLaterRems ? ["rems.ndjson", "more.ndjson"] : ["rems.ndjson"];
    this.byId = new Map(files.flatMap((file) => lines(join(folder, file))).map((rem) => [rem.id, rem]));
  }

  get(id) {
    return this.byId.get(id);
  }

  all() {
    return [...this.byId.values()];
  }

  parent(rem) {
    return this.get(rem.parent);
  }

  /** The parent, its parent, and so on. */
  ancestors(rem) {
    const parent = this.parent(rem);
    return parent ? [parent, ...this.ancestors(parent)] : [];
  }

  type(rem) {
    return this.release.typeOrder.find((type) => rem.kinds?.includes(type)) ?? "text";
  }

  /** What stands before the delimiter of a card that is written in one line; all else is its back. */
  front(rem) {
    const at = rem.text.findIndex((part) => part.delimiter);
    return at < 0 ? rem.text : rem.text.slice(0, at);
  }

  back(rem) {
    return rem.back ?? rem.text.slice(this.front(rem).length).filter((part) => !part.delimiter);
  }

  title(rem, within = []) {
    return this.render(this.front(rem), [...within, rem]);
  }

  headline(rem) {
    const title = this.title(rem);
    const back = this.render(this.back(rem), [rem]);
    return back ? `${title} ${DELIMITERS[this.type(rem)] ?? ">>"} ${back}` : title;
  }

  /** Rich text as markdown. `within` are the Rems whose titles this is a part of: one of them again would never end. */
  render(rich, within = []) {
    return rich.map((part) => this.renderPart(part, within)).join("");
  }

  renderPart(part, within) {
    if (typeof part === "string") return part;
    if (part.rem !== undefined) {
      const target = this.get(part.rem);
      if (!target) return "[deleted]";
      const title = within.includes(target) ? "…" : this.title(target, within);
      return this.release.hasInlineRefs ? `[[${title}]]` : title;
    }
    if (part.global !== undefined) return part.global;
    if (part.latex !== undefined) return `$${part.latex}$`;
    const medium = ["image", "audio", "drawing"].find((medium) => medium in part);
    if (medium) return `[${medium}]`;
    if (part.bold) return `**${part.text}**`;
    if (part.italic) return `*${part.text}*`;
    if (part.code) return `\`${part.text}\``;
    if (part.link) return `[${part.text}](${part.link})`;
    return part.text ?? "";
  }

  inlineRefs(rem) {
    return [...this.front(rem), ...this.back(rem)]
      .filter((part) => this.byId.has(part.rem))
      .map((part) => ({ text: this.renderPart(part, [rem]).slice(2, -2), targetRemId: part.rem, kind: "rem" }));
  }

  /** A card has two sides, and a way in which it is practised. */
  cardDirection(rem) {
    const practised = rem.practice !== undefined && rem.practice !== "none";
    return practised && this.back(rem).length > 0 ? rem.practice : undefined;
  }

  tags(rem) {
    return (rem.tags ?? [])
      .filter((id) => this.byId.has(id))
      .map((id) => ({ tagRemId: id, name: this.title(this.get(id)) }))
      .filter((tag) => tag.name);
  }

  /** The children that are content: no rows of metadata. */
  children(rem) {
    return (rem.children ?? []).map((id) => this.get(id)).filter((child) => !child.row);
  }

  /** The children that are shown: at most so many, and none that are empty at the end. */
  shown(rem, most) {
    const children = this.children(rem).slice(0, most);
    const isEmpty = (child) => this.type(child) === "text" && !child.children && this.headline(child) === "";
    return children.slice(0, children.findLastIndex((child) => !isEmpty(child)) + 1);
  }

  count(rem) {
    return this.children(rem).reduce((sum, child) => sum + 1 + this.count(child), 0);
  }

  markdownLines(rem, depth, most, indent = "") {
    if (depth === 0) return [];
    return this.shown(rem, most).flatMap((child) => [
      `${indent}- ${this.headline(child)}`,
      ...this.markdownLines(child, depth - 1, most, `${indent}  `),
    ]);
  }

  /** What stands below a Rem, as far as whole lines of it fit into a length. */
  markdown(rem, { depth, childLimit, maxContentLength }) {
    const all = this.markdownLines(rem, depth, childLimit);
    const kept = [];
    let length = 0;
    for (const line of all) {
      length += line.length + (kept.length > 0 ? 1 : 0);
      if (length > maxContentLength) break;
      kept.push(line);
    }
    return {
      content: kept.join("\n"),
      contentProperties: {
        childrenRendered: kept.length,
        childrenTotal: Math.min(this.count(rem), MOST_COUNTED),
        contentTruncated: kept.length < all.length,
      },
    };
  }

  /** What stands below a Rem, as nodes. */
  nodes(rem, depth, most) {
    if (depth === 0) return [];
    return this.shown(rem, most).map((child) => {
      const children = this.nodes(child, depth - 1, most);
      return filled({ remId: child.id, ...this.face(child), children: children.length > 0 ? children : undefined });
    });
  }

  /** What a Rem shows of itself wherever it stands. */
  face(rem) {
    return {
      title: this.title(rem),
      headline: this.headline(rem),
      remType: this.type(rem),
      cardDirection: this.cardDirection(rem),
      aliases: some((rem.aliases ?? []).map((alias) => this.render(alias)).filter(Boolean)),
      tags: this.release.hasTags ? some(this.tags(rem)) : undefined,
      inlineRefs: this.release.hasInlineRefs ? some(this.inlineRefs(rem)) : undefined,
    };
  }

  /** The ancestors that are asked for, and whether there are more. */
  hierarchy(rem, depth) {
    if (!depth) return {};
    const all = this.ancestors(rem);
    return {
      ancestors: all.slice(0, depth).map((one) => ({ remId: one.id, title: this.title(one), remType: this.type(one) })),
      ancestorsTruncated: all.length > depth ? true : undefined,
    };
  }

  /** A Rem as a result or a note. */
  item(rem, asked) {
    const parent = this.parent(rem);
    const mode = asked.contentMode ?? asked.includeContent;
    return filled({
      remId: rem.id,
      ...this.face(rem),
      parentRemId: parent?.id,
      parentTitle: parent && this.title(parent),
      ...this.hierarchy(rem, asked.ancestorDepth),
      ...(asked.view === "compact" ? { aliases: undefined, tags: undefined } : {}),
      ...(mode === "markdown" ? this.markdown(rem, asked) : {}),
      contentStructured: mode === "structured" ? this.nodes(rem, asked.depth, asked.childLimit) : undefined,
    });
  }
}

/** A list, unless it is empty. */
const some = (list) => (list.length > 0 ? list : undefined);

/** An object without the fields that have no value. */
export const filled = (object) => Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
