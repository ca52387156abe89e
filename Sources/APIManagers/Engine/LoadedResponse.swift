/// A valid response with its output.
struct LoadedResponse<Output: Sendable>: Sendable {
  let response: APIResponse
  let output: Output
}
