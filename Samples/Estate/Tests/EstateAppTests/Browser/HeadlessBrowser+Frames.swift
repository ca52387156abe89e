import SwitchyardTesting

extension HeadlessBrowser {
  /// A frame of the page, and the frames in it.
  struct FrameTree: Decodable {
    struct Frame: Decodable {
      let id: String
      let url: String
    }

    let frame: Frame
    let childFrames: [FrameTree]?
  }

  /// Returns the value of an expression in the frame whose URL ends with a path, as text.
  func evaluate(_ expression: String, inFrame path: String) async throws -> String {
    let tree = try await call("Page.getFrameTree", [:]).frameTree
    guard let frame = tree?.childFrames?.first(where: { $0.frame.url.hasSuffix(path) })?.frame else {
      throw PageError(description: "no frame has \(path)")
    }
    let context = try await call("Page.createIsolatedWorld", ["frameId": frame.id]).executionContextId
    let result = try await call(
      "Runtime.evaluate",
      ["expression": "String(\(expression))", "returnByValue": true, "contextId": context ?? 0])
    if let exception = result.exceptionDetails {
      throw PageError(description: exception.exception?.description ?? exception.text)
    }
    return result.result?.value ?? ""
  }

  /// Returns when an expression is true in the frame whose URL ends with a path.
  func wait(
    for expression: String, inFrame path: String, fileID: String = #fileID, line: Int = #line
  ) async throws {
    try await waitUntil("\(expression) is true in \(path)", fileID: fileID, line: line) {
      (try? await evaluate(expression, inFrame: path)) == "true"
    }
  }
}
