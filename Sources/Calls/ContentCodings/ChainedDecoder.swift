/// Decodes content to which two codings were applied, one after the other.
///
/// The bytes between the two are limited, because the outer coding may expand a few bytes to any number of
/// empty blocks of the inner one, which then take time without producing output.
@safe
package final class ChainedDecoder: ContentDecoder {
  private static let capacity = 64 << 10
  /// The number of bytes between the codings up to which their ratio to the input is ignored.
  private static let ratioFloor = 1 << 20
  private static let ratio = 200

  private let outer: any ContentDecoder
  private let inner: any ContentDecoder
  private let middle: UnsafeMutableBufferPointer<UInt8>
  private var pending: Range<Int> = 0..<0
  private var outerHasMore = false
  private var innerHasMore = false
  private var totals = DecodingStep.nothing

  /// Creates a decoder of content that was first coded for `inner`, and the result of that for `outer`.
  package init(outer: any ContentDecoder, inner: any ContentDecoder) {
    self.outer = outer
    self.inner = inner
    unsafe middle = .allocate(capacity: Self.capacity)
    unsafe middle.initialize(repeating: 0)
  }

  deinit { unsafe middle.deallocate() }

  package var isEnded: Bool {
    outer.isEnded && inner.isEnded && pending.isEmpty && !outerHasMore && !innerHasMore
  }

  package func decode(
    _ input: UnsafeBufferPointer<UInt8>, into target: UnsafeMutableBufferPointer<UInt8>
  ) -> DecodingStep? {
    var done = DecodingStep.nothing
    while done.produced < target.count {
      if !pending.isEmpty || innerHasMore {
        let room = unsafe UnsafeMutableBufferPointer(rebasing: target[done.produced...])
        guard let produced = unsafe decodeInner(into: room) else { return nil }
        done.produced += produced
      } else {
        guard done.consumed < input.count || outerHasMore else { break }
        let rest = unsafe UnsafeBufferPointer(rebasing: input[done.consumed...])
        guard let consumed = unsafe decodeOuter(rest) else { return nil }
        done.consumed += consumed
      }
    }
    return done
  }

  /// Decodes the bytes between the codings; returns the number of bytes written.
  private func decodeInner(into room: UnsafeMutableBufferPointer<UInt8>) -> Int? {
    let source = unsafe UnsafeBufferPointer(rebasing: middle[pending])
    guard let step = unsafe inner.decode(source, into: room) else { return nil }
    // A decoder that moves nothing although it has input and room would never end.
    if step == .nothing, !pending.isEmpty { return nil }
    pending = pending.dropFirst(step.consumed)
    innerHasMore = step.produced == room.count
    return step.produced
  }

  /// Decodes input to bytes between the codings; returns the number of bytes read.
  private func decodeOuter(_ input: UnsafeBufferPointer<UInt8>) -> Int? {
    guard let step = unsafe outer.decode(input, into: middle) else { return nil }
    if step == .nothing, !input.isEmpty { return nil }
    pending = 0..<step.produced
    outerHasMore = step.produced == Self.capacity
    totals.consumed += step.consumed
    totals.produced += step.produced
    guard totals.produced <= Self.ratioFloor || totals.produced / Self.ratio <= totals.consumed else {
      return nil
    }
    return step.consumed
  }
}
