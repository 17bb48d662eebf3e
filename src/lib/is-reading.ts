/** Whether requests with a method of HTTP only read. */
export const isReading = (method: string): boolean => method === 'GET' || method === 'HEAD'
