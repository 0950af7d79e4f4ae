import type { MatchingCost } from './matching-cost.ts';

/** An instruction as `re2js` compiles it. */
export interface Instruction {
  readonly op: number;
  /** The next instruction. */
  readonly out: number;
  /** The alternative of `ALT`; the assertion of `EMPTY_WIDTH`; flags of characters. */
  readonly arg: number;
  readonly runes: Int32Array;
  matchRune(code: number): boolean;
}

// The kinds of instructions, as `re2js` numbers them.
const ALT = 1;
const ALT_MATCH = 2;
const CAPTURE = 3;
const EMPTY_WIDTH = 4;
const FAIL = 5;
const MATCH = 6;
const NOP = 7;
// 8 and 9 are a class and a single character.
const RUNE_ANY = 10;
const RUNE_ANY_NOT_NL = 11;

/** The flag in `arg` of a single character that is compared in all its cases. */
const FOLDED = 1;

const END = -1;
const LAST_ASCII = 0x7f;
const NEWLINE = 10;

/**
 * Runs a compiled expression on complete texts as a Pike VM: each instruction is visited at most once per character.
 * The engine's own automaton takes longer to build its states than it saves, keeps megabytes for each expression, and
 * does not report its cost.
 */
export class Program {
  readonly #instructions: readonly Instruction[];
  readonly #ops: Uint8Array;
  readonly #outs: Int32Array;
  readonly #args: Int32Array;
  /** The costs of testing an instruction on an ASCII character, and on others. */
  readonly #costs: Uint8Array;
  readonly #wideCosts: Uint8Array;
  readonly #start: number;
  /** The instructions that wait for a character: the current one, and the next. */
  #waiting: Int32Array;
  #next: Int32Array;
  #count = 0;
  /** When an instruction was visited last. */
  readonly #visits: Int32Array;
  #now = 0;
  readonly #stack: Int32Array;
  #isAccepted = false;
  #steps = 0;

  constructor(instructions: readonly Instruction[], start: number) {
    if (instructions.some(({ op }) => op < ALT || op > RUNE_ANY_NOT_NL)) throw new Error('it looks around');
    const { length } = instructions;
    this.#instructions = instructions;
    this.#ops = Uint8Array.from(instructions, ({ op }) => op);
    this.#outs = Int32Array.from(instructions, ({ out }) => out);
    this.#args = Int32Array.from(instructions, ({ arg }) => arg);
    this.#costs = Uint8Array.from(instructions, (instruction) => costOf(instruction, false));
    this.#wideCosts = Uint8Array.from(instructions, (instruction) => costOf(instruction, true));
    this.#start = start;
    this.#waiting = new Int32Array(length);
    this.#next = new Int32Array(length);
    this.#visits = new Int32Array(length);
    // Each visited instruction adds at most one, and is visited once.
    this.#stack = new Int32Array(length + 1);
  }

  matches(text: string, cost: MatchingCost): boolean {
    let code = text.length === 0 ? END : text.codePointAt(0)!;
    this.#beginVisits();
    this.#visit(this.#start, contextOf(END, code));
    for (let at = 0; code !== END;) {
      at += code > 0xffff ? 2 : 1;
      const following = at < text.length ? text.codePointAt(at)! : END;
      const count = this.#count;
      [this.#waiting, this.#next] = [this.#next, this.#waiting];
      this.#beginVisits();
      const context = contextOf(code, following);
      const costs = code > LAST_ASCII ? this.#wideCosts : this.#costs;
      for (let index = 0; index < count; index++) {
        const waiting = this.#waiting[index]!;
        this.#steps += costs[waiting]!;
        if (this.#takes(waiting, code)) this.#visit(this.#outs[waiting]!, context);
      }
      cost.spend(this.#steps + 4);
      if (this.#count === 0 && !this.#isAccepted) return false;
      code = following;
    }
    return this.#isAccepted;
  }

  #beginVisits(): void {
    if (this.#now === 0x7fffffff) {
      this.#visits.fill(0);
      this.#now = 0;
    }
    this.#now++;
    this.#count = 0;
    this.#steps = 0;
    this.#isAccepted = false;
  }

  #takes(index: number, code: number): boolean {
    switch (this.#ops[index]) {
      case RUNE_ANY:
        return true;
      case RUNE_ANY_NOT_NL:
        return code !== NEWLINE;
      default:
        return this.#instructions[index]!.matchRune(code);
    }
  }

  /** Adds all instructions that are reachable without a character. */
  #visit(from: number, context: number): void {
    const [ops, outs, args, visits, stack] = [this.#ops, this.#outs, this.#args, this.#visits, this.#stack];
    let depth = 0;
    stack[depth++] = from;
    while (depth > 0) {
      const index = stack[--depth]!;
      this.#steps++;
      if (visits[index] === this.#now) continue;
      visits[index] = this.#now;
      switch (ops[index]) {
        case ALT:
        case ALT_MATCH:
          stack[depth++] = args[index]!;
          stack[depth++] = outs[index]!;
          break;
        case CAPTURE:
        case NOP:
          stack[depth++] = outs[index]!;
          break;
        case EMPTY_WIDTH:
          if ((args[index]! & ~context) === 0) stack[depth++] = outs[index]!;
          break;
        case MATCH:
          this.#isAccepted = true;
          break;
        case FAIL:
          break;
        default:
          this.#next[this.#count++] = index;
      }
    }
  }
}

/** What testing takes besides an ordinary step: the engine looks for ranges, and walks through the cases of a character. */
function costOf({ runes, arg }: Instruction, isWide: boolean): number {
  if (runes.length > 1) return 2 + (runes.length > 2 ? 32 - Math.clz32(runes.length) : 0);
  const isFolded = runes.length === 1 && (arg & FOLDED) !== 0;
  return isFolded && (isWide || runes[0]! > LAST_ASCII) ? 16 : 2;
}

/**
 * The assertions between two characters, in the bits of `EMPTY_WIDTH`: begin and end of line and text, (no) word
 * boundary.
 */
function contextOf(before: number, after: number): number {
  const begins = before === END ? 5 : before === NEWLINE ? 1 : 0;
  const ends = after === END ? 10 : after === NEWLINE ? 2 : 0;
  return begins | ends | (isWord(before) === isWord(after) ? 32 : 16);
}

const isWord = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95;
