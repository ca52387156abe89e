import Foundation
import SwitchyardTesting
import Synchronization

/// Headless Chromium with one page, driven by the DevTools protocol over a pair of FIFOs.
final class HeadlessBrowser: Sendable {
  /// Where Debian's package has the program.
  static let program = "/usr/bin/chromium"
  static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: program) }

  /// What went wrong in the browser, or in a page's script.
  struct PageError: Error, CustomStringConvertible {
    let description: String
  }

  /// The browser's answer to a command.
  struct Reply: Decodable {
    struct Fault: Decodable {
      let message: String
    }

    struct Exception: Decodable {
      struct Details: Decodable {
        let description: String?
      }

      let text: String
      let exception: Details?
    }

    struct Evaluation: Decodable {
      let value: String?
    }

    struct Result: Decodable {
      let targetId: String?
      let sessionId: String?
      let result: Evaluation?
      let exceptionDetails: Exception?
      /// A picture in base 64.
      let data: String?
      let frameTree: FrameTree?
      let executionContextId: Int?
    }

    let id: Int?
    let result: Result?
    let error: Fault?
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
    let target = try await call("Target.createTarget", ["url": "about:blank"]).targetId ?? ""
    let session = try await call("Target.attachToTarget", ["targetId": target, "flatten": true]).sessionId
    state.withLock { $0.session = session }
    _ = try await call("Page.enable", [:])
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

  /// Returns the value of an expression as text.
  @discardableResult func evaluate(_ expression: String) async throws -> String {
    let result = try await call(
      "Runtime.evaluate", ["expression": "String(\(expression))", "returnByValue": true])
    if let exception = result.exceptionDetails {
      throw PageError(description: exception.exception?.description ?? exception.text)
    }
    return result.result?.value ?? ""
  }

  /// Returns the value of a promise as text.
  func settle(_ expression: String) async throws -> String {
    let result = try await call(
      "Runtime.evaluate", ["expression": expression, "returnByValue": true, "awaitPromise": true])
    if let exception = result.exceptionDetails {
      throw PageError(description: exception.exception?.description ?? exception.text)
    }
    return result.result?.value ?? ""
  }

  /// Returns when an expression is true.
  func wait(for expression: String, fileID: String = #fileID, line: Int = #line) async throws {
    do {
      try await waitUntil("\(expression) is true", fileID: fileID, line: line) {
        (try? await evaluate(expression)) == "true"
      }
    } catch let timeout as WaitTimeout {
      let page = try? await evaluate("location.pathname + ': ' + document.body.innerText.slice(0, 1000)")
      throw WaitedInVain(description: "\(timeout); the page shows \(page ?? "nothing")")
    }
  }

  private struct WaitedInVain: Error, CustomStringConvertible {
    let description: String
  }

  /// Sends a command of the DevTools protocol to the page, and returns its result.
  @discardableResult
  func call(_ method: String, _ parameters: [String: Any]) async throws -> Reply.Result {
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
    let decoded = try JSONDecoder().decode(Reply.self, from: reply)
    if let error = decoded.error { throw PageError(description: "\(method): \(error.message)") }
    guard let result = decoded.result else { throw PageError(description: "\(method): no result") }
    return result
  }

  /// Resumes a call that the browser doesn't reply to.
  private func fail(_ id: Int, _ reason: String) {
    take(Data(#"{"id":\#(id),"error":{"message":"\#(reason)"}}"#.utf8))
  }

  /// Resumes the call to which a message replies; events are ignored.
  private func take(_ message: Data) {
    struct Identity: Decodable {
      let id: Int?
    }
    guard let id = try? JSONDecoder().decode(Identity.self, from: message).id else { return }
    state.withLock { $0.waiters.removeValue(forKey: id) }?.resume(returning: message)
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
