import js from "@eslint/js";
import globals from "globals";

export default [
  js.configs.recommended,
  {
    languageOptions: { globals: globals.browser },
    rules: { "prefer-const": "error", eqeqeq: "error" },
  },
  {
    files: ["web/build.js", "eslint.config.js", "tests/web/**"],
    languageOptions: { globals: globals.node },
  },
];
