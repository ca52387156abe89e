import Foundation
import SwitchyardTesting
import Synchronization
import Testing

/// Headless Chromium with one page, driven by the DevTools protocol over a pair of FIFOs.
final class HeadlessBrowser: Sendable {
  /// Where Debian's package has the program.
  static let program = "/usr/bin/chromium"

  /// What went wrong in the browser, or in a page's script.
  struct PageError: Error, CustomStringConvertible {
    let description: String
  }

  private struct State {
    var lastCall = 0
    var session: String?
    var waiters: [Int: CheckedContinuation<Data, Never>] = [:]
  }

  private let folder: URL
  private let process = Process()
  private let input: FileHandle
  private let output: FileHandle
  private let state = Mutex(State())

  /// Starts the browser.
  init() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "browser-\(UUID())")
    self.folder = folder
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let names = ["commands", "replies"].map { folder.appending(path: $0).path }
    for name in names where mkfifo(name, 0o600) != 0 { throw PageError(description: "no FIFO at \(name)") }
    // For reading and writing, so that opening waits for no other process.
    let files = names.map { open($0, O_RDWR) }
    guard files.allSatisfy({ $0 >= 0 }) else { throw PageError(description: "the FIFOs can't be opened") }
    input = FileHandle(fileDescriptor: files[0], closeOnDealloc: true)
    output = FileHandle(fileDescriptor: files[1], closeOnDealloc: true)
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "bash", "-c",
      #"exec "$1" --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$2/profile" \"#
        + "\n" + #"--remote-debugging-pipe about:blank 3<"$2/commands" 4>"$2/replies""#,
      "browser", Self.program, folder.path,
    ]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    Thread.detachNewThread { [weak self, output] in Self.read(output) { self?.take($0) } }
    let target = try await call("Target.createTarget", ["url": "about:blank"])["targetId"] ?? ""
    let session = try await call("Target.attachToTarget", ["targetId": target, "flatten": true])["sessionId"]
    let name = session as? String
    state.withLock { $0.session = name }
    _ = try await call("Page.enable", [:])
  }

  /// Runs a test with a browser, which ends after it.
  @MainActor static func use(_ body: (HeadlessBrowser) async throws -> Void) async throws {
    let browser = try await HeadlessBrowser()
    try await run {
      try await body(browser)
    } finally: {
      await browser.close()
    }
  }

  /// Ends the browser and removes its files.
  func close() async {
    state.withLock { $0.session = nil }
    _ = try? await call("Browser.close", [:])
    process.waitUntilExit()
    // An empty message ends the thread that reads.
    try? output.write(contentsOf: Data([0]))
    try? FileManager.default.removeItem(at: folder)
  }

  /// Sets the size of the page and the color scheme that the user prefers.
  func resize(to width: Int, height: Int = 1_000, scale: Double = 1, isDark: Bool = false) async throws {
    _ = try await call(
      "Emulation.setDeviceMetricsOverride",
      ["width": width, "height": height, "deviceScaleFactor": scale, "mobile": false])
    _ = try await call(
      "Emulation.setEmulatedMedia",
      [
        "features": [
          ["name": "prefers-color-scheme", "value": isDark ? "dark" : "light"],
          // A picture would show colors between two schemes.
          ["name": "prefers-reduced-motion", "value": "reduce"],
        ]
      ])
  }

  /// Loads a page, and returns when it and its script are loaded.
  func load(_ url: String) async throws {
    _ = try await evaluate("(window.isOld = true)")
    _ = try await call("Page.navigate", ["url": url])
    try await wait(for: "!window.isOld && document.readyState === 'complete'")
  }

  /// Returns the value of an expression as text, in the page or in the frame whose URL ends with a path.
  @discardableResult func evaluate(_ expression: String, inFrame path: String? = nil) async throws -> String {
    var options: [String: Any] = [:]
    if let path {
      let tree = try await call("Page.getFrameTree", [:])["frameTree"] as? [String: Any]
      let frames = (tree?["childFrames"] as? [[String: Any]] ?? []).compactMap {
        $0["frame"] as? [String: Any]
      }
      guard let frame = frames.first(where: { ($0["url"] as? String)?.hasSuffix(path) == true })?["id"] else {
        throw PageError(description: "no frame has \(path)")
      }
      options["contextId"] = try await call("Page.createIsolatedWorld", ["frameId": frame])[
        "executionContextId"]
    }
    return try await value(of: "String(\(expression))", options)
  }

  /// Returns the value of a promise as text.
  func settle(_ expression: String) async throws -> String {
    try await value(of: expression, ["awaitPromise": true])
  }

  private func value(of expression: String, _ options: [String: Any]) async throws -> String {
    let result = try await call(
      "Runtime.evaluate", ["expression": expression, "returnByValue": true].merging(options) { $1 })
    if let fault = result["exceptionDetails"] as? [String: Any] {
      let exception = fault["exception"] as? [String: Any]
      throw PageError(description: "\(exception?["description"] ?? fault["text"] ?? "")")
    }
    return (result["result"] as? [String: Any])?["value"] as? String ?? ""
  }

  /// An expression of JavaScript: whether a text is on the page.
  static func shows(_ text: String) -> String { "document.body.textContent.includes(\(quoted(text)))" }

  /// Whether an expression is true.
  func isTrue(_ expression: String) async throws -> Bool { try await evaluate(expression) == "true" }

  /// Returns when an expression is true, in the page or in the frame whose URL ends with a path.
  func wait(
    for expression: String, inFrame path: String? = nil, fileID: String = #fileID, line: Int = #line
  ) async throws {
    do {
      // A browser has many processes, which share a busy machine.
      try await waitUntil("\(expression) is true", within: .seconds(30), fileID: fileID, line: line) {
        (try? await evaluate(expression, inFrame: path)) == "true"
      }
    } catch let timeout as WaitTimeout {
      let page = try? await evaluate("location.pathname + ': ' + document.body.innerText.slice(0, 1000)")
      throw PageError(description: "\(timeout); the page shows \(page ?? "nothing")")
    }
  }

  /// Sends a command of the DevTools protocol to the page, and returns its result.
  @discardableResult
  func call(_ method: String, _ parameters: [String: Any]) async throws -> [String: Any] {
    let (id, session) = state.withLock { state in
      state.lastCall += 1
      return (state.lastCall, state.session)
    }
    var message: [String: Any] = ["id": id, "method": method, "params": parameters]
    message["sessionId"] = session
    let bytes = try JSONSerialization.data(withJSONObject: message) + [0]
    let timer = Task {
      try await Task.sleep(for: .seconds(25))  // clock: a real browser that hangs provides no event
      fail(id, "the browser has not replied within 25 s")
    }
    defer { timer.cancel() }
    let reply = await withCheckedContinuation { continuation in
      state.withLock { $0.waiters[id] = continuation }
      do { try input.write(contentsOf: bytes) } catch { fail(id, "the browser has ended") }
    }
    let answer = Self.object(reply)
    guard let result = answer["result"] as? [String: Any] else {
      throw PageError(description: "\(method): \(answer["error"] ?? "no result")")
    }
    return result
  }

  /// Resumes a call that the browser doesn't reply to.
  private func fail(_ id: Int, _ reason: String) {
    take(Data(#"{"id":\#(id),"error":{"message":"\#(reason)"}}"#.utf8))
  }

  /// Resumes the call to which a message replies; events are ignored.
  private func take(_ message: Data) {
    guard let id = Self.object(message)["id"] as? Int else { return }
    state.withLock { $0.waiters.removeValue(forKey: id) }?.resume(returning: message)
  }

  private static func object(_ message: Data) -> [String: Any] {
    (try? JSONSerialization.jsonObject(with: message)) as? [String: Any] ?? [:]
  }

  private static func read(_ file: FileHandle, _ receive: (Data) -> Void) {
    var rest = Data()
    while case let part = file.availableData, !part.isEmpty {
      rest += part
      while let end = rest.firstIndex(of: 0) {
        if end == rest.startIndex { return }
        receive(rest[..<end])
        rest = Data(rest[(end + 1)...])
      }
    }
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips tests that need Chromium where it isn't installed.
  static var browser: ConditionTrait {
    .enabled(
      if: FileManager.default.isExecutableFile(atPath: HeadlessBrowser.program), "chromium is not installed")
  }
}
