/// A text that no description or mirror reveals.
struct Secret: Sendable, Hashable {
  let text: String

  init(_ text: String) { self.text = text }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  var description: String { "(secret)" }
  var debugDescription: String { description }
  var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
