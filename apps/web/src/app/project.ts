import { useParams } from '@tanstack/react-router';

/** The project of the address; empty outside of projects. */
export function useProjectId(): string {
  const { projectId = '' }: { projectId?: string } = useParams({ strict: false });
  return projectId;
}
