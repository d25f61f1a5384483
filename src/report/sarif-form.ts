/** The line of `summary.sarif` under which the results stand, and the one that ends them. */
export const resultsBegin = '"results":[';
export const resultsEnd = ']';
