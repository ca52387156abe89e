/// The keys whose last responses could not be used for requests that waited for them.
///
/// To wait for such a response again would only delay the request. A table of fixed size: a key takes the
/// place of another one whose digest has the same remainder, which costs that one a wait.
struct UncollapsibleKeys {
  private static let size = 256

  // A digest of zero is treated as that of no key.
  private var digests: [UInt64] = []

  func contains(_ digest: UInt64) -> Bool {
    !digests.isEmpty && digest != 0 && digests[Self.index(of: digest)] == digest
  }

  mutating func insert(_ digest: UInt64) {
    if digests.isEmpty { digests = Array(repeating: 0, count: Self.size) }
    digests[Self.index(of: digest)] = digest
  }

  mutating func remove(_ digest: UInt64) {
    if contains(digest) { digests[Self.index(of: digest)] = 0 }
  }

  private static func index(of digest: UInt64) -> Int { Int(digest % UInt64(size)) }
}
