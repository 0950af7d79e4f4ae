/** The address of a service account that belongs to a project. */
export const SERVICE_ACCOUNT = /^[a-z](?:[a-z0-9-]{4,28}[a-z0-9])@[a-z0-9.-]{1,200}\.iam\.gserviceaccount\.com$/;
