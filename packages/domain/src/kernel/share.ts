/** The share of a limit that one of several processes has, at least one. 0 stays «no limit». */
export const shareOf = (limit: number, processes: number): number =>
  limit === 0 ? 0 : Math.max(1, Math.floor(limit / processes));
