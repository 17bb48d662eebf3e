import { existsSync } from 'node:fs'
import importSort from 'eslint-plugin-simple-import-sort'
import tseslint from 'typescript-eslint'

const TAKES_ITEMS = 'push|unshift|splice|concat|min|max|fromCharCode|fromCodePoint'

export default tseslint.config(
  // Each file of the corpus is two programs, of which some lines are comments.
  { ignores: ['dist/', '.tap/', '.stryker-tmp/', '**/node_modules/', 'data/', 'bench/explore/corpus/'] },
  // What they import is not installed here.
  { ignores: ['clients/testcontainers/*.d.ts'] },
  // Nor what this imports, before `npm run test:prepare`.
  ...(existsSync(new URL('test/node_modules', import.meta.url)) ? [] : [{ ignores: ['test/browser/'] }]),
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  ...tseslint.configs.strictTypeChecked,
  {
    plugins: { 'import-sort': importSort },
    rules: {
      // Prettier breaks code; this is for text and comments.
      'max-len': ['error', { code: 120 }],
      // Node's modules, packages, then our own: those above first.
      'import-sort/imports': ['error', { groups: [['^\\u0000', '^node:', '^@?\\w', '^\\.\\.', '^\\.']] }]
    }
  },
  {
    files: ['**/*.{ts,tsx}'],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      // Fastify accepts plugins and handlers that are async without an await.
      '@typescript-eslint/require-await': 'off',
      // A callback of one call needs no braces.
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      // noUncheckedIndexedAccess makes every index possibly undefined; an assertion says why it is not.
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/consistent-type-imports': 'error'
    }
  },
  {
    // CommonJS, as Jest comes.
    files: ['examples/jest/**/*.js'],
    rules: { '@typescript-eslint/no-require-imports': 'off' }
  },
  {
    files: ['src/**/*.{ts,tsx}'],
    rules: {
      // Each item becomes an argument, and there can be as many as somebody sends: beyond some 100,000, the call fails.
      'no-restricted-syntax': [
        'error',
        {
          selector: `CallExpression[callee.property.name=/^(${TAKES_ITEMS})$/] > SpreadElement.arguments`,
          message: 'Do not spread a list into arguments: it may be too long. Go through it in a loop.'
        },
        {
          selector: "CallExpression[callee.property.name='apply'][arguments.length>1]",
          message: 'Do not use apply(): each item becomes an argument, and there may be too many.'
        },
        {
          // What could not be made for a passing reason would stay so until a restart.
          selector:
            'AwaitExpression > AssignmentExpression[operator="??="], AssignmentExpression[operator="??="] > ' +
            'CallExpression[callee.property.name=/^(then|catch)$/]',
          message: 'Use kept() of src/lib/kept.ts: a promise that is kept like this stays rejected for ever.'
        }
      ]
    }
  },
  {
    // Tests see the replies as a client does, without types, and compare them by value.
    files: ['test/**/*.ts'],
    rules: {
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/restrict-template-expressions': 'off'
    }
  },
  {
    files: ['**/*.{js,mjs}'],
    ...tseslint.configs.disableTypeChecked
  }
)
