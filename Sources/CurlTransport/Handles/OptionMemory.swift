import CCurlShims
import CLibcurl

/// What an easy handle was told, in order, so that the next request tells it only what is new.
///
/// Requests are described by the same steps again and again, and most values don't change between them. A
/// description that takes another course than the one before makes the handle forget everything and hear it anew:
/// no option of an earlier request can ever be left over.
struct OptionMemory {
  /// The value of an option.
  enum Value {
    case number(Int)
    case offset(Int64)
    case text(String?)
    /// Memory that libcurl reads and doesn't copy; its owner keeps it for as long as the handle may read it.
    case address(UInt)
  }

  /// What a setter has to do.
  enum Step {
    /// The handle knows it.
    case nothing
    /// Tell the handle.
    case tell
    /// Make the handle forget, tell it everything in ``told``, and then this.
    case retell
  }

  private struct Entry {
    let option: CURLoption.RawValue
    var value: Value
  }

  private var entries: [Entry] = []
  private var position = 0
  private var settled = 0

  /// What was said so far in the present description.
  var told: [(option: CURLoption, value: Value)] {
    entries[..<position].map { (CURLoption(rawValue: $0.option), $0.value) }
  }

  /// Whether the description before this one said more.
  var hasLeftovers: Bool { position < entries.count }

  /// What was said so far holds for every description; none repeats it.
  mutating func settle() { settled = position }

  /// Begins another description.
  mutating func begin() { position = settled }

  /// Forgets what the description before said beyond this one.
  mutating func dropLeftovers() { entries.removeSubrange(position...) }

  /// Forgets everything.
  mutating func forget() {
    entries.removeAll(keepingCapacity: true)
    position = 0
    settled = 0
  }

  /// Notes the next option.
  mutating func note(_ option: CURLoption, _ value: Value) -> Step {
    defer { position += 1 }
    guard position < entries.count else {
      entries.append(Entry(option: option.rawValue, value: value))
      return .tell
    }
    guard entries[position].option == option.rawValue else {
      dropLeftovers()
      entries.append(Entry(option: option.rawValue, value: value))
      return .retell
    }
    if Self.isSame(entries[position].value, value) { return .nothing }
    entries[position].value = value
    return .tell
  }

  /// Notes another value of an option that the description before named, which holds again in all else; returns
  /// whether the handle must be told.
  mutating func amend(_ option: CURLoption, _ value: Value) -> Bool {
    guard let index = entries.firstIndex(where: { $0.option == option.rawValue }) else { return false }
    if Self.isSame(entries[index].value, value) { return false }
    entries[index].value = value
    return true
  }

  private static func isSame(_ old: Value, _ new: Value) -> Bool {
    switch (old, new) {
    case (.number(let old), .number(let new)): old == new
    case (.offset(let old), .offset(let new)): old == new
    case (.text(let old), .text(let new)): old == new
    case (.address(let old), .address(let new)): old == new
    default: false
    }
  }
}
