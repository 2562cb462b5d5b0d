// The OpenAPI document is one, by a validator that others wrote.
import assert from 'node:assert/strict'
import { Validator } from '@seriousme/openapi-schema-validator'

export async function checks(check, world) {
  await check('the OpenAPI document is valid', async () => {
    const document = await fetch(`${world.url}/api/v1/openapi.json`).then((answer) => answer.json())
    const { valid, errors } = await new Validator().validate(structuredClone(document))
    assert.ok(valid, JSON.stringify(errors, null, 2))
    document.paths['/api/v1/sessions'].get.responses = {}
    document.openapi = '3.1.0'
    delete document.info.title
    assert.ok(!(await new Validator().validate(document)).valid, 'the validator finds nothing wrong with a broken document')
    return `OpenAPI ${document.openapi}, ${Object.keys(document.paths).length} addresses`
  })
}
