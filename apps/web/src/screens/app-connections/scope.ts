import type { Outputs } from '@coffer/client';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { ask } from '../../app/ask.ts';
import { useOrganizationRights, useProjectRights, type May } from '../../app/rights.ts';

export type AppConnection = Outputs['appConnections']['listAll']['appConnections'][number];
export type AppName = AppConnection['app'];

/** Whose connections are shown: those of a project, or of the organization. */
export interface Scope {
  /** What calls take. */
  readonly owner: { readonly projectId?: string };
  /** The address of the list. */
  readonly path: string;
  readonly may: May;
}

export function useScope(): Scope {
  const { projectId } = useParams({ strict: false });
  const inProject = useProjectRights(projectId);
  const inOrganization = useOrganizationRights();
  return projectId === undefined
    ? { owner: {}, path: '/app-connections', may: inOrganization }
    : { owner: { projectId }, path: '/projects/$projectId/app-connections', may: inProject };
}

/** What counts for a connection, wherever it is shown: the rights in its project, or in the organization. */
export function useRightsOn({ projectId }: Pick<AppConnection, 'projectId'>): May {
  const inProject = useProjectRights(projectId ?? '');
  const inOrganization = useOrganizationRights();
  return projectId === null ? inOrganization : inProject;
}

type Options = Outputs['appConnections']['options'];

/** An app, with those of its methods that the operator has to set up first: `missingSetting` where all of them are. */
export type AppOption = Options['appConnectionOptions'][number] & {
  readonly unavailable: Options['unavailableMethods'];
  readonly missingSetting?: string | undefined;
};

const appsOf = ({ appConnectionOptions, unavailableMethods }: Options): readonly AppOption[] => {
  const unavailable = Map.groupBy(unavailableMethods, ({ app }) => app);
  const available = appConnectionOptions.map((option) => ({
    ...option,
    unavailable: unavailable.get(option.app) ?? [],
  }));
  const names = new Set(available.map(({ app }) => app));
  const others = [...unavailable].flatMap(([app, methods]) =>
    methods.slice(0, names.has(app) ? 0 : 1).map(({ name, missingSetting }) => ({
      ...{ app, name, missingSetting, methods: [], supportsPlatformManagement: false, unavailable: methods },
    })),
  );
  return [...available, ...others];
};

export const useApps = () => useQuery({ ...ask('appConnections', 'options', {}), select: appsOf });

/** The name of an app for people. */
export function useAppName(): (app: string) => string {
  const { data } = useApps();
  return (app) => data?.find((one) => one.app === app)?.name ?? app;
}
