import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ask } from '../../app/ask.ts';
import { Note } from '../../ui/note.tsx';
import { Queried } from '../../ui/query.tsx';
import type { AppName } from './scope.ts';
import { texts } from './texts.ts';

interface UsageProps {
  readonly app: AppName;
  readonly connectionId: string;
  /** Before a deletion, which is refused while something uses it. */
  readonly isAsked?: boolean;
}

/** The syncs, rotations and authorities that use a connection. */
export function Usage({ app, connectionId, isAsked = false }: UsageProps) {
  const usage = useQuery(ask('appConnections', 'usage', { app, connectionId }));
  return (
    <Queried query={usage}>
      {({ projects, hiddenResources }) => {
        if (projects.length === 0 && hiddenResources === 0) return <p>{texts.nothingUsesIt}</p>;
        return (
          <>
            {isAsked && <Note kind="warn">{texts.itIsUsed}</Note>}
            <ul>
              {projects.map(({ id, name, resources }) => (
                <li key={id}>
                  {name}
                  <ul>
                    {resources.secretSyncs.map((sync) => (
                      <li key={sync.id}>
                        <Link
                          to="/projects/$projectId/secret-syncs/$destination/$syncId"
                          params={{ projectId: id, destination: sync.destination, syncId: sync.id }}
                        >
                          {texts.secretSync(sync.destination)}
                        </Link>
                      </li>
                    ))}
                    {resources.secretRotations.map((rotation) => (
                      <li key={rotation.id}>
                        <Link
                          to="/projects/$projectId/secret-rotations/$type/$rotationId"
                          params={{ projectId: id, type: rotation.type, rotationId: rotation.id }}
                        >
                          {texts.secretRotation(rotation.type)}
                        </Link>
                      </li>
                    ))}
                    {resources.certificateAuthorities.map((authority) => (
                      <li key={authority.id}>{texts.certificateAuthority(authority.name, authority.type)}</li>
                    ))}
                  </ul>
                </li>
              ))}
            </ul>
            {hiddenResources > 0 && <p>{texts.moreInProjectsThatYou(hiddenResources)}</p>}
          </>
        );
      }}
    </Queried>
  );
}
