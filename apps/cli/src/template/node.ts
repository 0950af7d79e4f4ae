/** What the parser makes of a template. `line` begins at 1. */
export type Node =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'print'; readonly pipe: Pipe; readonly line: number }
  | (Branch & { readonly kind: 'if' | 'with' | 'range' })
  | { readonly kind: 'template'; readonly name: string; readonly pipe: Pipe | undefined; readonly line: number }
  | { readonly kind: 'break' | 'continue'; readonly line: number };

export interface Branch {
  readonly pipe: Pipe;
  readonly body: readonly Node[];
  readonly otherwise: readonly Node[];
  readonly line: number;
}

/** Commands in a row, each with the result of the one before as its last argument. */
export interface Pipe {
  /** Variables that get the result: one, or with `range` two. */
  readonly variables: readonly string[];
  /** Whether these exist already: `=` in place of `:=`. */
  readonly isAssignment: boolean;
  readonly commands: readonly Command[];
  readonly line: number;
}

/** A function with its arguments, or one operand alone. */
export interface Command {
  readonly operands: readonly Operand[];
  readonly line: number;
}

export type Operand =
  | { readonly kind: 'constant'; readonly value: string | number | boolean | null }
  | { readonly kind: 'dot' }
  | { readonly kind: 'fields'; readonly of: Operand; readonly names: readonly string[] }
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'call'; readonly name: string }
  | { readonly kind: 'pipe'; readonly pipe: Pipe };

/** The templates of a source by name; the source itself has an empty one. */
export type Templates = ReadonlyMap<string, readonly Node[]>;
