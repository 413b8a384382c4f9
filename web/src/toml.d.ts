declare module '*.toml' {
  const content: Record<string, never>;
  export default content;
}
