// Finding Rems by words and by tag: what the hits lead to, in which order, and page by page.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { filled } from "./rems.mjs";

const RANKS = { document: 0, concept: 0, dailyDocument: 1, portal: 2, descriptor: 3, text: 4 };
const MOST_HITS = 1000;
const MOST_SNAPSHOTS = 20;

const json = (file) => JSON.parse(readFileSync(file, "utf8"));
const unique = (list) => [...new Set(list)];

export class Search {
  /** Reads what RemNote answers to some queries and tags. */
  constructor(folder, release, rems) {
    this.rems = rems;
    this.release = release;
    const files = release.hasLaterRems ? ["hits.json", "more-hits.json"] : ["hits.json"];
    const hits = files.map((file) => json(join(folder, file)));
    this.queries = Object.assign({}, ...hits.map((one) => one.search));
    this.tags = Object.assign({}, ...hits.map((one) => one.tag));
    this.snapshots = new Map();
  }

  byWords(asked) {
    const found = () => {
      const words = asked.query.toLowerCase();
      const has = (rem) => !rem.row && this.rems.title(rem).toLowerCase().includes(words);
      return this.queries[asked.query] ?? this.rems.all().filter(has).map((rem) => rem.id);
    };
    return this.answer(asked, `words ${asked.query}`, found, (rem) => ({ rem }));
  }

  byTag(asked) {
    const found = () => {
      const tag = this.release.tagsById ? asked.tagRemId : asked.tag.trim().replace(/^#/u, "");
      if (!tag) throw new Error("a tag has a name");
      if (this.release.tagsById && !this.rems.get(tag)) return [];
      return this.tags[tag] ?? this.rems.all().filter((rem) => rem.tags?.includes(tag)).map((rem) => rem.id);
    };
    const { resultMode } = asked;
    return this.answer(asked, `tag ${resultMode} ${asked.tagRemId}`, found, (rem) => {
      const context = this.context(rem);
      return resultMode === "tagged" ? { rem, context } : { rem: context.rem, matched: rem };
    });
  }

  /** Where a Rem that has a tag leads to. */
  context(rem) {
    const ancestors = this.rems.ancestors(rem);
    const document = ancestors.find((one) => ["document", "dailyDocument"].includes(this.rems.type(one)));
    if (document) return { rem: document, reason: "ancestor-document" };
    const [parent] = ancestors;
    if (!parent) return { rem, reason: "self" };
    return { rem: parent, reason: this.rems.type(parent) === "concept" ? "ancestor-concept" : "ancestor-context" };
  }

  answer(asked, key, find, lead) {
    if (!this.release.hasPages) {
      const places = this.places(find().slice(0, 2 * asked.limit), lead).slice(0, asked.limit);
      return { results: this.ranked(places).map((place) => this.result(place, asked)) };
    }
    const { snapshot, from } = asked.cursor === undefined ? this.begin(key, find, lead) : this.resume(key, asked.cursor);
    const until = from + asked.limit;
    const hasMore = until < snapshot.places.length;
    return filled({
      results: snapshot.places.slice(from, until).map((place) => this.result(place, asked)),
      hasMore,
      nextCursor: hasMore ? `${snapshot.id}:${until}` : undefined,
      truncated: snapshot.truncated,
      truncationReason: snapshot.truncated ? "cursor_snapshot_limit" : undefined,
    });
  }

  begin(key, find, lead) {
    const hits = find();
    const snapshot = {
      id: crypto.randomUUID(),
      key,
      places: this.ranked(this.places(hits.slice(0, MOST_HITS), lead)),
      truncated: hits.length >= MOST_HITS,
    };
    this.snapshots.set(snapshot.id, snapshot);
    if (this.snapshots.size > MOST_SNAPSHOTS) this.snapshots.delete(this.snapshots.keys().next().value);
    return { snapshot, from: 0 };
  }

  resume(key, cursor) {
    const [id, from] = cursor.split(":");
    const snapshot = this.snapshots.get(id);
    if (snapshot?.key !== key) throw new Error("the cursor has expired, or belongs to another search");
    return { snapshot, from: Number(from) };
  }

  /** Each Rem that the hits lead to once, with all the Rems that led to it. */
  places(ids, lead) {
    const places = new Map();
    for (const id of unique(ids)) {
      const { rem, context, matched } = lead(this.rems.get(id));
      const place = places.get(rem.id) ?? { rem, context, matched: [] };
      if (matched) place.matched.push(matched);
      places.set(rem.id, place);
    }
    return [...places.values()];
  }

  ranked(places) {
    const rank = (place) => RANKS[this.rems.type(place.rem)];
    return places.toSorted((one, other) => rank(one) - rank(other));
  }

  result({ rem, context, matched }, asked) {
    const own = { ...asked, contentMode: "none" };
    return filled({
      ...this.rems.item(rem, asked),
      matchedRems: asked.resultMode === "context" ? matched.map((one) => this.rems.item(one, own)) : undefined,
      contextRemId: context?.rem.id,
      contextTitle: context && this.rems.title(context.rem),
      contextReason: context?.reason,
    });
  }
}
