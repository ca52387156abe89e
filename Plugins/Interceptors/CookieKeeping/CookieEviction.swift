import Interception

/// Reduces the persistent cookies of all partitions to what the file of a store can have; a value's work,
/// without I/O.
enum CookieEviction {
  /// The bytes of the lines of a partition, for each domain and together.
  private struct Sizes {
    var domains: [Substring: Int] = [:]
    var total = 0

    init(_ jar: CookieJar, _ partition: String) {
      for (domain, entries) in jar.domains {
        let size = entries.reduce(0) { $0 + CookieFileText.size(of: $1.cookie, in: partition) }
        if size > 0 { domains[domain] = size }
        total += size
      }
    }
  }

  /// Removes cookies until the text of all persistent ones has at most a number of bytes, and returns how
  /// many it removed, without expired ones.
  ///
  /// They are those of the partition with the most bytes, and in it of the domain with the most bytes, so
  /// that a server that sets many evicts its own, and never those of an account that it doesn't know.
  static func fit(_ jars: inout [String: CookieJar], to maximum: Int, at now: WallTime) -> Int {
    let maximum = maximum - CookieFileText.maximumFrameSize
    let bound = jars.reduce(0) { sum, jar in
      guard jar.value.isLasting else { return sum }
      return sum
        + jar.value.domains.values.joined().reduce(0) {
          $0 + CookieFileText.sizeBound(of: $1.cookie, in: jar.key)
        }
    }
    guard bound > maximum else { return 0 }
    let partitions = jars.filter(\.value.isLasting).keys.sorted()
    var sizes = partitions.map { partition in jars[partition].map { Sizes($0, partition) } }
    func total() -> Int { sizes.reduce(0) { $0 + ($1?.total ?? 0) } }
    guard total() > maximum else { return 0 }
    for (index, partition) in partitions.enumerated() {
      // Taken out, so that it is changed in place.
      guard var jar = jars.removeValue(forKey: partition) else { continue }
      for domain in Array(jar.domains.keys) { _ = jar.removeExpired(in: domain, at: now) }
      sizes[index] = Sizes(jar, partition)
      jars[partition] = jar.count == 0 ? nil : jar
    }
    var (rest, removed) = (total(), 0)
    while rest > maximum {
      guard let index = sizes.indices.max(by: { sizes[$0]?.total ?? 0 < sizes[$1]?.total ?? 0 }),
        let domain = sizes[index]?.domains.max(by: { ($0.value, $1.key) < ($1.value, $0.key) })?.key,
        let cookie = jars[partitions[index]]?.removeOldestPersistent(in: domain)
      else { break }
      let size = CookieFileText.size(of: cookie, in: partitions[index])
      sizes[index]?.total -= size
      sizes[index]?.domains[domain]? -= size
      if jars[partitions[index]]?.count == 0 { jars[partitions[index]] = nil }
      rest -= size
      removed += 1
    }
    return removed
  }
}
