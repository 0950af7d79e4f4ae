/** The little Markdown that descriptions use: paragraphs and `code`. */
export const Prose = ({ text }: { readonly text: string }) =>
  text
    .split('\n\n')
    .map((paragraph) => (
      <p key={paragraph}>
        {paragraph
          .split('`')
          .map((part, index) => (index % 2 === 1 ? <code key={`${part} ${index}`}>{part}</code> : part))}
      </p>
    ));
