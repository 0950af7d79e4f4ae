import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useProjectId } from '../app/project.ts';
import { texts } from './texts.ts';

/** Which events: the filters of the audit log, as its address has them. `about` is what the event has of the thing: its ID. */
export interface Events {
  readonly about?: Readonly<Record<string, string>>;
  readonly actor?: string;
  readonly environment?: string;
  readonly path?: string;
  readonly key?: string;
}

/** To the events of a thing in the audit log: of the project that it is in, else of the organization. */
export function EventsLink({ of, children = texts.events }: { readonly of: Events; readonly children?: ReactNode }) {
  const projectId = useProjectId();
  const { about, ...others } = of;
  const pairs = Object.entries(about ?? {}).map(([name, value]) => `${name}=${value}`);
  return (
    <Link
      to={projectId ? '/projects/$projectId/audit' : '/organization/audit'}
      params={projectId ? { projectId } : {}}
      search={{ ...others, ...(pairs.length > 0 && { about: pairs.join(',') }) }}
    >
      {children}
    </Link>
  );
}
