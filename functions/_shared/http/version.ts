/** Version of the interface; every answer says it. */
export const API_VERSION = '2.0'
