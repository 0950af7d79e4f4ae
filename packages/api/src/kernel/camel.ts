/** `kubernetes-auth` → `kubernetesAuth`. */
export type Camel<Text extends string> = Text extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Text;
/** The same of a value: how groups of procedures are named after members of a family. */
export const camel = (text: string): string => text.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
