import Foundation

extension HeadlessBrowser {
  /// A key that is not a character.
  enum Key: String {
    case tab = "Tab"
    case enter = "Enter"
    case escape = "Escape"
    case space = " "
    case right = "ArrowRight"

    fileprivate var code: String { self == .space ? "Space" : rawValue }
    fileprivate var number: Int {
      switch self {
      case .tab: 9
      case .enter: 13
      case .escape: 27
      case .space: 32
      case .right: 39
      }
    }
    fileprivate var text: String? {
      switch self {
      case .enter: "\r"
      case .space: " "
      case .tab, .escape, .right: nil
      }
    }
  }

  /// Presses and releases a key.
  func press(_ key: Key, withShift: Bool = false) async throws {
    var event: [String: Any] = [
      "key": key.rawValue, "code": key.code, "windowsVirtualKeyCode": key.number,
      "modifiers": withShift ? 8 : 0,
    ]
    event["text"] = key.text
    event["type"] = key.text == nil ? "rawKeyDown" : "keyDown"
    try await call("Input.dispatchKeyEvent", event)
    event["text"] = nil
    event["type"] = "keyUp"
    try await call("Input.dispatchKeyEvent", event)
  }

  /// Types characters into the field with the focus, one key after another.
  func type(_ text: String) async throws {
    for character in text {
      let key: [String: Any] = ["key": String(character), "text": String(character)]
      try await call("Input.dispatchKeyEvent", key.merging(["type": "keyDown"]) { $1 })
      try await call(
        "Input.dispatchKeyEvent", ["key": String(character), "type": "keyUp"])
    }
  }

  /// Clicks an element in its middle with the mouse, and throws if something else is in front of it.
  func click(_ selector: String) async throws {
    let (x, y) = try await place(of: selector)
    for type in ["mouseMoved", "mousePressed", "mouseReleased"] { try await mouse(type, x, y) }
  }

  /// Moves the mouse to the middle of an element.
  func hover(_ selector: String) async throws {
    let (x, y) = try await place(of: selector)
    try await mouse("mouseMoved", x, y)
  }

  private func mouse(_ type: String, _ x: Double, _ y: Double) async throws {
    let isMove = type == "mouseMoved"
    try await call(
      "Input.dispatchMouseEvent",
      ["type": type, "x": x, "y": y, "button": isMove ? "none" : "left", "clickCount": isMove ? 0 : 1])
  }

  /// Scrolls to an element and returns its middle.
  private func place(of selector: String) async throws -> (x: Double, y: Double) {
    let place = try await evaluate(
      """
      (() => {
        const element = document.querySelector(\(Self.quoted(selector)));
        if (!element) return "nothing";
        element.scrollIntoView({block: "center", behavior: "instant"});
        const box = element.getBoundingClientRect();
        const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
        const hit = document.elementFromPoint(x, y);
        return hit && (element.contains(hit) || hit.contains(element)) ? x + " " + y : "covered by " + hit?.outerHTML;
      })()
      """)
    let numbers = place.split(separator: " ").compactMap { Double($0) }
    guard numbers.count == 2 else { throw PageError(description: "\(selector) can't be reached: \(place)") }
    return (numbers[0], numbers[1])
  }

  /// Returns a picture of the page, of its whole height or of what is visible.
  func screenshot(format: String = "png", quality: Int? = nil, wholePage: Bool = false) async throws -> Data {
    var parameters: [String: Any] = ["format": format, "captureBeyondViewport": wholePage]
    parameters["quality"] = quality
    if wholePage {
      let size = try await evaluate(
        "document.documentElement.scrollWidth + ' ' + document.documentElement.scrollHeight")
      let numbers = size.split(separator: " ").compactMap { Int($0) }
      guard numbers.count == 2 else { throw PageError(description: "the page has no size: \(size)") }
      parameters["clip"] = [
        "x": 0, "y": 0, "width": numbers[0], "height": min(numbers[1], 4_000), "scale": 1,
      ]
    }
    let result = try await call("Page.captureScreenshot", parameters)
    guard let data = (result["data"] as? String).flatMap({ Data(base64Encoded: $0) }) else {
      throw PageError(description: "the browser made no picture")
    }
    return data
  }

  /// The text as a literal of JavaScript.
  static func quoted(_ text: String) -> String {
    let data = try? JSONEncoder().encode(text)
    return data.map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
  }
}
