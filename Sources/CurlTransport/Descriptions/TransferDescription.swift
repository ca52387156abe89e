/// All options of libcurl for one transfer, besides ``HandleDefaults``.
///
/// A ``ReusableHandle`` keeps that of its previous transfer. The compiler synthesizes the comparison of
/// options, and a part that differs sets all of its own, so no option can keep the value of an earlier
/// transfer.
struct TransferDescription: Equatable {
  /// What depends on the origin, by its ``RequestSite/options``.
  let site: RequestSite
  /// What depends on the request, except for its lines.
  let exchange: ExchangeOptions
  /// The target and the header lines.
  let lines: RequestLines
}
