import type { OauthRows } from "../oauth/oauth-ports.ts";
import type { CatalogueHandle } from "../store/catalogue/catalogue-handle.ts";
import { findPartner } from "../store/catalogue/oauth-clients.ts";
import { createGrant, endGrant } from "../store/catalogue/oauth-grants.ts";
import {
  consumeOauthRow,
  findOauthRow,
  removeOauthRow,
  saveOauthRow,
} from "../store/catalogue/oauth-rows.ts";

/** What is kept of OAuth, on a catalogue of this thread. */
export function oauthRowsOn(catalogue: CatalogueHandle): OauthRows {
  return {
    findPartner: (clientId) => findPartner(catalogue, clientId),
    findOauthRow: (asked) => findOauthRow(catalogue, asked),
    saveOauthRow: (row) => saveOauthRow(catalogue, row),
    consumeOauthRow: (asked) => consumeOauthRow(catalogue, asked),
    removeOauthRow: (asked) => removeOauthRow(catalogue, asked),
    createGrant: (grant) => createGrant(catalogue, grant),
    endGrant: (asked) => endGrant(catalogue, asked),
  };
}
