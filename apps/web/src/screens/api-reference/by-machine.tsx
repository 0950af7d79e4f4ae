import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Code } from '../../ui/code.tsx';
import { Part } from '../../ui/detail.tsx';
import { Disclosure } from '../../ui/disclosure.tsx';
import { Note } from '../../ui/note.tsx';
import { Queried } from '../../ui/query.tsx';
import { reference } from './document.ts';
import { asCurl, asTypeScript } from './request.ts';
import { texts } from './texts.ts';

interface ByMachineProps {
  /** What is done: `Encrypt`. */
  readonly title: string;
  /** Of the API: `kms_encrypt`. */
  readonly operation: string;
  /** What is in its path and query. */
  readonly parameters?: Readonly<Record<string, string>>;
  readonly body?: object;
  /** The same by the command line, where it has that. */
  readonly commandLine?: string | undefined;
}

/** How a machine does what this page is about: by the command line, by curl, and from TypeScript. */
export const ByMachine = (props: ByMachineProps) => (
  <Part title={texts.byMachine}>
    <Disclosure title={props.title}>{() => <Calls {...props} />}</Disclosure>
  </Part>
);

function Calls({ operation: id, parameters = {}, body, commandLine }: ByMachineProps) {
  const api = useQuery(reference);
  return (
    <>
      {commandLine && <Code label={texts.commandLine}>{commandLine}</Code>}
      <Queried query={api}>
        {({ operations }) => {
          const operation = operations.get(id);
          if (!operation) return <Note kind="bad">{texts.thisServerDoesNotDescribe(id)}</Note>;
          const entered = { parameters, body: body ? JSON.stringify(body, undefined, 2) : '' };
          return (
            <>
              <Code label="curl">{asCurl(location.origin, operation, entered)}</Code>
              <Code label="TypeScript">{asTypeScript(location.origin, operation, entered)}</Code>
              <Link to="/api/docs/$operationId" params={{ operationId: id }}>
                {texts.inApiReference(operation.summary ?? '')}
              </Link>
            </>
          );
        }}
      </Queried>
    </>
  );
}
