import type { Permission, Rule } from '../../kernel/index.ts';
import { RuleSet } from '../../access/index.ts';

/**
 * Lists of rules, each evaluated once: a thousand members with one role have the same rules. Lists are equal if their
 * rules have equal text.
 */
export class RuleSets {
  readonly #numbers = new Map<string, number>();
  readonly #numberOf = new WeakMap<Rule, number>();
  readonly #books = new Map<string, RuleSet>();
  readonly #keys = new Map<RuleSet, number>();

  /** Equal for rules that read the same. */
  numberOf(rule: Rule): number {
    let number = this.#numberOf.get(rule);
    if (number === undefined) {
      const text = JSON.stringify([rule.subject, [rule.action].flat(), rule.inverted === true, rule.conditions ?? {}]);
      number = this.#numbers.get(text);
      if (number === undefined) this.#numbers.set(text, (number = this.#numbers.size));
      this.#numberOf.set(rule, number);
    }
    return number;
  }

  of(rules: readonly Rule[]): RuleSet {
    const key = rules.map((rule) => this.numberOf(rule)).join();
    let book = this.#books.get(key);
    if (!book) {
      this.#books.set(key, (book = new RuleSet(rules)));
      this.#keys.set(book, this.#books.size);
    }
    return book;
  }

  /** Equal for the same list. */
  keyOf(book: RuleSet): number {
    return this.#keys.get(book)!;
  }

  /** A key for the rules of this subject and action: equal if they have equal text. */
  speech(book: RuleSet, permission: Permission): string {
    return book
      .rulesFor(permission)
      .map((index) => this.numberOf(book.rules[index]!))
      .join();
  }
}
