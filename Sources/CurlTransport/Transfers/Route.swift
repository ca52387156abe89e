/// What the origin of a transfer decides: the proxy it goes through, and the keys that its host must show.
///
/// It is a class because a handle's transfers to one site share it: a copy costs one count.
final class Route {
  let proxy: Proxy?
  /// The pins of the host, and who is told of a key that is not among them.
  let pinning: Pinning?

  init(proxy: Proxy?, pinning: Pinning?) {
    self.proxy = proxy
    self.pinning = pinning
  }
}
