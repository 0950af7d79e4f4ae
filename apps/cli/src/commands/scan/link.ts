import type { Finding } from './finding.ts';

/** Addresses of lines of a file at a commit, by where repositories are kept. */
const PLATFORMS: Readonly<Record<string, (repository: string, finding: Finding) => string>> = {
  github: (at, one) => `${at}/blob/${one.Commit}/${one.File}#L${one.StartLine}-L${one.EndLine}`,
  gitlab: (at, one) => `${at}/-/blob/${one.Commit}/${one.File}#L${one.StartLine}-${one.EndLine}`,
  gitea: (at, one) => `${at}/src/commit/${one.Commit}/${one.File}#L${one.StartLine}-L${one.EndLine}`,
  bitbucket: (at, one) => `${at}/src/${one.Commit}/${one.File}#lines-${one.StartLine}:${one.EndLine}`,
  azuredevops: (at, one) =>
    `${at}/commit/${one.Commit}?path=/${one.File}&line=${one.StartLine}&lineEnd=${one.EndLine + 1}&lineStartColumn=1&lineEndColumn=1`,
};

export const PLATFORM_NAMES = [...Object.keys(PLATFORMS), 'none'];

/**
 * Adds the address of each finding in a commit.
 *
 * @param remote The address of the repository at its origin, as git has it.
 */
export function linkAt(platform: string, remote: string | undefined): (finding: Finding) => Finding {
  const address = PLATFORMS[platform];
  const repository = remote && webAddressOf(remote);
  if (!address || !repository) return (finding) => finding;
  return (finding) => (finding.Commit ? { ...finding, Link: encodeURI(address(repository, finding)) } : finding);
}

/** `git@host:owner/name.git` and `https://user@host/owner/name.git` as a browser opens them. */
function webAddressOf(remote: string): string | undefined {
  const [, host, path] = /^(?:[a-z+]+:\/\/)?(?:[^@/]*@)?([^/:]+)(?::\d+)?[/:](.+?)(?:\.git)?\/?$/.exec(remote) ?? [];
  return host && path ? `https://${host}/${path}` : undefined;
}
