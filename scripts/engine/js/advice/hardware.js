export const ideas = []
