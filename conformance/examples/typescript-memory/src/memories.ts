// What is remembered, and finding it.

import { readFileSync } from "node:fs";
import { join } from "node:path";

export interface Entry {
  memoryId: string;
  entryId: string;
  creationTime: string;
  summary: string;
  rawEntry: string;
}

export interface Context {
  memoryId: string;
  timestamp: string;
  context: string;
}

export interface Search {
  memory_id: string;
  query: string;
  top_ke: number;
  top_kc: number;
}

/** The objects of a file of JSON lines. */
function lines<T>(file: string): T[] {
  const text = readFileSync(file, "utf8");
  return text.split("\n").filter(Boolean).map((line) => JSON.parse(line) as T);
}

/** How often the words of a query stand in a text. */
function score(query: string, text: string): number {
  const whole = text.toLowerCase();
  const words = query.toLowerCase().split(/\s+/u).filter(Boolean);
  return words.reduce((sum, word) => sum + whole.split(word).length - 1, 0);
}

/** The best first; the newer of two that are equally good. */
function best<T>(all: T[], most: number, rate: (one: T) => number, time: (one: T) => string): (T & { score: number })[] {
  return all
    .map((one) => ({ ...one, score: rate(one) }))
    .filter((one) => one.score > 0)
    .sort((one, other) => other.score - one.score || Date.parse(time(other)) - Date.parse(time(one)))
    .slice(0, most);
}

export class Memories {
  private readonly entries: Entry[];
  private readonly contexts: Context[];

  /** Reads a folder with `entries.ndjson` and `contexts.ndjson`, such as the corpus of the contract. */
  constructor(folder: string) {
    this.entries = lines(join(folder, "entries.ndjson"));
    this.contexts = lines(join(folder, "contexts.ndjson"));
  }

  search({ memory_id, query, top_ke, top_kc }: Search) {
    const own = <T extends { memoryId: string }>(all: T[]) => all.filter((one) => one.memoryId === memory_id);
    const contexts = own(this.contexts);
    const entries = best(
      own(this.entries),
      top_ke,
      (entry) => score(query, `${entry.summary}\n${entry.rawEntry}`),
      (entry) => entry.creationTime,
    );
    const newest = contexts.reduce<Context | undefined>(
      (latest, one) => (latest && Date.parse(latest.timestamp) >= Date.parse(one.timestamp) ? latest : one),
      undefined,
    );
    return {
      entries,
      count: entries.length,
      latestContext: newest?.context ?? "",
      latestContextTimestamp: newest?.timestamp ?? null,
      contexts: best(contexts, top_kc, (one) => score(query, one.context), (one) => one.timestamp).map(
        ({ context, timestamp, score }) => ({ context, timestamp, score }),
      ),
    };
  }
}
